package budget

import (
	"context"

	"github.com/redis/go-redis/v9"
)

var spend = redis.NewScript(`
local budget = tonumber(redis.call("GET", KEYS[1]))
local amount = tonumber(ARGV[1])
if budget < amount then
  return 0
end
redis.call("SET", KEYS[1], budget - amount)
redis.call("RPUSH", KEYS[2], amount)
return amount`) //@1-9

func Spend(ctx context.Context, rdb *redis.Client) (spent int, err error) {
	return spend.Run(ctx, rdb, []string{"budget", "ledger"}, 6).Int() //@10
}
