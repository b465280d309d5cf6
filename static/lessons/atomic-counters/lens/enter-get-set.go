package room

import (
	"context"

	"github.com/redis/go-redis/v9"
)

func Enter(ctx context.Context, rdb *redis.Client) error {
	n, err := rdb.Get(ctx, "room").Int64() //@1
	if err != nil {
		return err
	}
	return rdb.Set(ctx, "room", n+1, 0).Err() //@2
}
