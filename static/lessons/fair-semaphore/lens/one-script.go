package slots

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"
)

const limit = 2

var enter = redis.NewScript(`
local owners, times, tickets = KEYS[1], KEYS[2], KEYS[3]
redis.call("ZREMRANGEBYSCORE", times, "-inf", ARGV[1] - 10000)
redis.call("ZINTERSTORE", owners, 2, owners, times, "WEIGHTS", 1, 0)
local ticket = redis.call("INCR", tickets)
redis.call("ZADD", times, ARGV[1], ARGV[2])
redis.call("ZADD", owners, ticket, ARGV[2])
return redis.call("ZRANK", owners, ARGV[2])`) //@1-8

var ErrLost = errors.New("the slot was lost during the work")

// TryWork is false where no slot was free.
func TryWork(ctx context.Context, rdb *redis.Client, work func()) (worked bool, err error) {
	id := uuid.NewString() //@9
	defer func() {
		ctx := context.WithoutCancel(ctx)                  // also where ctx has been cancelled
		rdb.ZRem(ctx, "owners", id)                        //@15
		freed, late := rdb.ZRem(ctx, "times", id).Result() //@16
		if worked && freed == 0 && late == nil {
			late = ErrLost
		}
		err = errors.Join(err, late)
	}()
	keys := []string{"owners", "times", "tickets"}
	rank, err := enter.Run(ctx, rdb, keys, time.Now().UnixMilli(), id).Int() //@10
	if err != nil || rank >= limit {                                         //@10
		return false, err
	}
	work() //@11-13
	return true, nil
}
