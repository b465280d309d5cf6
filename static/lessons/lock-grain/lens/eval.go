package market

import (
	"context"
	"errors"

	"github.com/redis/go-redis/v9"
)

var buy = redis.NewScript(`
local item = redis.call("HGET", KEYS[2], "wants")
local price = redis.call("ZSCORE", KEYS[1], item)
if not price then
  return false
end
redis.call("HINCRBY", KEYS[3], "funds", price)
redis.call("HINCRBY", KEYS[2], "funds", -price)
redis.call("SADD", KEYS[4], item)
redis.call("ZREM", KEYS[1], item)
return price`) //@2-12

// Buy answers what the buyer has paid; 0 where the wanted item is not for sale.
func Buy(ctx context.Context, rdb *redis.Client, buyer string) (int, error) {
	keys := []string{"market", buyer, "user:carol", buyer + ":items"} //@1
	price, err := buy.Run(ctx, rdb, keys).Int()                       //@13
	if errors.Is(err, redis.Nil) {
		return 0, nil
	}
	return price, err //@14
}
