package account

import (
	"context"

	"github.com/redis/go-redis/v9"
)

func Deposit(ctx context.Context, rdb *redis.Client) (int64, error) {
	return rdb.IncrBy(ctx, "balance", 10).Result() //@1
}
