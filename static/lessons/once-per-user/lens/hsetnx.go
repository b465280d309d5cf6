package coupons

import (
	"context"

	"github.com/redis/go-redis/v9"
)

// Give answers false where another request of this user came first.
func Give(ctx context.Context, rdb *redis.Client) (bool, error) {
	first, err := rdb.HSetNX(ctx, "requests", "ann", 1).Result() //@1
	if first {                                                   //@2
		err = rdb.RPush(ctx, "coupons", "ann").Err() //@3
	}
	return first, err
}
