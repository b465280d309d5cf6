package room

import (
	"context"

	"github.com/redis/go-redis/v9"
)

func Enter(ctx context.Context, rdb *redis.Client) (int64, error) {
	return rdb.Incr(ctx, "room").Result() //@1
}
