package budget

import (
	"context"
	"errors"

	"github.com/redis/go-redis/v9"
)

var enough = redis.NewScript(`
local budget = tonumber(redis.call("GET", KEYS[1]))
return budget >= tonumber(ARGV[1])`) //@1-3

var spend = redis.NewScript(`
redis.call("DECRBY", KEYS[1], ARGV[1])
redis.call("RPUSH", KEYS[2], ARGV[1])`) //@4-6

func Spend(ctx context.Context, rdb *redis.Client) (spent int, err error) {
	err = enough.Run(ctx, rdb, []string{"budget"}, 6).Err() //@7
	if errors.Is(err, redis.Nil) { // false comes back as nil
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	err = spend.Run(ctx, rdb, []string{"budget", "ledger"}, 6).Err() //@8
	if err != nil && !errors.Is(err, redis.Nil) { // the script returns nothing
		return 0, err
	}
	return 6, nil //@9
}
