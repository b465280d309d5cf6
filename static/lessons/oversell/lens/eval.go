package shop

import (
	"context"

	"github.com/redis/go-redis/v9"
)

var buy = redis.NewScript(`
local n = tonumber(redis.call("GET", KEYS[1]))
if n > 0 then
  redis.call("DECR", KEYS[1])
  return 1
end
return 0`) //@1-7

func Buy(ctx context.Context, rdb *redis.Client) (bool, error) {
	sold, err := buy.Run(ctx, rdb, []string{"stock"}).Int() //@8
	return sold == 1, err
}
