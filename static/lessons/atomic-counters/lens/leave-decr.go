package room

import (
	"context"

	"github.com/redis/go-redis/v9"
)

func Leave(ctx context.Context, rdb *redis.Client) (int64, error) {
	return rdb.Decr(ctx, "room").Result() //@1
}
