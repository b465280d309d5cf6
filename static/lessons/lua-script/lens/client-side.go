package budget

import (
	"context"

	"github.com/redis/go-redis/v9"
)

func Spend(ctx context.Context, rdb *redis.Client) (spent int, err error) {
	budget, err := rdb.Get(ctx, "budget").Int() //@1
	if err != nil {
		return 0, err
	}
	if budget >= 6 { //@2
		if err := rdb.Set(ctx, "budget", budget-6, 0).Err(); err != nil { //@3
			return 0, err
		}
		return 6, rdb.RPush(ctx, "ledger", 6).Err() //@4-5
	}
	return 0, nil
}
