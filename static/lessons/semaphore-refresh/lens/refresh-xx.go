package slots

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"
)

var enter = redis.NewScript(`
redis.call("ZREMRANGEBYSCORE", KEYS[1], "-inf", ARGV[1] - 10000)
if redis.call("ZCARD", KEYS[1]) < 2 then
  return redis.call("ZADD", KEYS[1], ARGV[1], ARGV[2])
end
return 0`) //@1-6

func nowMs() int64 { return time.Now().UnixMilli() }

// TryWork answers false where no slot was free, or the slot was lost during the work.
func TryWork(ctx context.Context, rdb *redis.Client, step func()) (worked bool, err error) {
	id := uuid.NewString()                                                    //@7
	entered, err := enter.Run(ctx, rdb, []string{"times"}, nowMs(), id).Int() //@8
	if err != nil || entered == 0 {                                           //@8
		return false, err
	}
	defer func() { // also where ctx has been cancelled
		freed, late := rdb.ZRem(context.WithoutCancel(ctx), "times", id).Result() //@16-17
		worked, err = worked && freed == 1, errors.Join(err, late)
	}()
	step() //@9-10
	entry := []redis.Z{{Score: float64(nowMs()), Member: id}}
	// With Ch the reply counts changed entries: 0 where this one has been removed.
	args := redis.ZAddArgs{XX: true, Ch: true, Members: entry}
	changed, err := rdb.ZAddArgs(ctx, "times", args).Result() //@11
	if err != nil || changed == 0 {                           //@12
		return false, err
	}
	step() //@13-14
	return true, nil
}
