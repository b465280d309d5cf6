package account

import (
	"context"

	"github.com/redis/go-redis/v9"
)

func Deposit(ctx context.Context, rdb *redis.Client) error {
	n, err := rdb.Get(ctx, "balance").Int64() //@1
	if err != nil {
		return err
	}
	n = n + 10 //@2
	return rdb.Set(ctx, "balance", n, 0).Err() //@3
}
