package shop

import (
	"context"

	"github.com/redis/go-redis/v9"
)

func Buy(ctx context.Context, rdb *redis.Client) (sold bool, err error) {
	left, err := rdb.Decr(ctx, "stock").Result() //@1
	if err != nil {
		return false, err
	}
	if left >= 0 { //@2
		return true, nil //@3
	}
	// Also where ctx has been cancelled: the unit must come back.
	return false, rdb.Incr(context.WithoutCancel(ctx), "stock").Err() //@5
}
