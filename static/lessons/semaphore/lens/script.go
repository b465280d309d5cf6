package slots

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"
)

var enter = redis.NewScript(`
local time = redis.call("TIME")
local ms = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call("ZREMRANGEBYSCORE", KEYS[1], "-inf", ms - 10000)
if redis.call("ZCARD", KEYS[1]) < 2 then
  return redis.call("ZADD", KEYS[1], ms, ARGV[1])
end
return 0`) //@1-8

var ErrLost = errors.New("the slot was lost during the work")

// TryWorkScripted is false where no slot was free.
func TryWorkScripted(ctx context.Context, rdb *redis.Client, work func()) (worked bool, err error) {
	id := uuid.NewString()                                           //@9
	entered, err := enter.Run(ctx, rdb, []string{"slots"}, id).Int() //@10
	if err != nil || entered == 0 {                                  //@10
		return false, err
	}
	defer func() { // also where ctx has been cancelled
		freed, late := rdb.ZRem(context.WithoutCancel(ctx), "slots", id).Result() //@14
		if freed == 0 && late == nil {
			late = ErrLost
		}
		err = errors.Join(err, late)
	}()
	work() //@11-13
	return true, nil
}
