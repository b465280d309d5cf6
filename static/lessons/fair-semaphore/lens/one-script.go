package slots

import (
	"context"
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

func TryWork(ctx context.Context, rdb *redis.Client, work func()) (bool, error) {
	id := uuid.NewString() //@9
	defer func() {
		ctx := context.WithoutCancel(ctx) // also where ctx has been cancelled
		rdb.ZRem(ctx, "owners", id)       //@15
		rdb.ZRem(ctx, "times", id)        //@16
	}()
	keys := []string{"owners", "times", "tickets"}
	rank, err := enter.Run(ctx, rdb, keys, time.Now().UnixMilli(), id).Int() //@10
	if err != nil || rank >= limit {                                         //@10
		return false, err
	}
	work() //@11-13
	return true, nil
}
