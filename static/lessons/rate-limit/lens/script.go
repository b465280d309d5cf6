package ratelimit

import (
	"context"

	"github.com/redis/go-redis/v9"
)

const limit = 1 //@1

var count = redis.NewScript(`
local hits = redis.call("INCR", KEYS[1])
if hits == 1 then
  redis.call("EXPIRE", KEYS[1], ARGV[1])
end
return hits`) //@2-7

func Allows(ctx context.Context, rdb *redis.Client) (bool, error) {
	hits, err := count.Run(ctx, rdb, []string{"hits:10.0.0.7"}, 1).Int() //@8
	return err == nil && hits <= limit, err                              //@9-11
}
