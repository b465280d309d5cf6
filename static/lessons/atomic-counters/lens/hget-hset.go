package cart

import (
	"context"

	"github.com/redis/go-redis/v9"
)

func AddApples(ctx context.Context, rdb *redis.Client) error {
	n, err := rdb.HGet(ctx, "cart:7", "apples").Int64() //@1
	if err != nil {
		return err
	}
	return rdb.HSet(ctx, "cart:7", "apples", n+2).Err() //@2
}
