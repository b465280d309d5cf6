package ratelimit

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"
)

var enter = redis.NewScript(`
local time = redis.call("TIME")
local ms = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call("ZREMRANGEBYSCORE", KEYS[1], "-inf", ms - ARGV[2])
if redis.call("ZCARD", KEYS[1]) >= tonumber(ARGV[1]) then
  return {0, ms}
end
redis.call("ZADD", KEYS[1], ms, ARGV[3])
redis.call("PEXPIRE", KEYS[1], ARGV[2])
return {1, ms}`) //@1-10

func Enter(ctx context.Context, rdb *redis.Client) (bool, error) {
	for attempt := 1; attempt <= 2; attempt++ { //@11
		id := uuid.NewString()
		reply, err := enter.Run(ctx, rdb, []string{"hits"}, 2, 1000, id).Int64Slice() //@12
		if err != nil {
			return false, err
		}
		if reply[0] == 1 { //@13-16
			return true, nil
		}
		if attempt == 1 { //@18
			time.Sleep(900 * time.Millisecond) //@18
		}
	}
	return false, nil //@17
}
