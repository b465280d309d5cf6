package cart

import (
	"context"

	"github.com/redis/go-redis/v9"
)

func AddApples(ctx context.Context, rdb *redis.Client) (int64, error) {
	return rdb.HIncrBy(ctx, "cart:7", "apples", 2).Result() //@1
}
