package board

import (
	"context"

	"github.com/redis/go-redis/v9"
)

func Reward(ctx context.Context, rdb *redis.Client) (float64, error) {
	return rdb.ZIncrBy(ctx, "board", 10, "ada").Result() //@1
}
