package shop

import (
	"context"

	"github.com/redis/go-redis/v9"
)

func Buy(ctx context.Context, rdb *redis.Client) (sold bool, err error) {
	stock, err := rdb.Get(ctx, "stock").Int() //@1
	if err != nil {
		return false, err
	}
	if stock > 0 { //@2
		if err := rdb.Set(ctx, "stock", stock-1, 0).Err(); err != nil { //@3
			return false, err
		}
		return true, nil //@4
	}
	return false, nil
}
