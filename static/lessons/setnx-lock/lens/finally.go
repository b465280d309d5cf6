package shop

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
)

func SellNext(ctx context.Context, rdb *redis.Client) (sold bool, err error) {
	item, err := rdb.LPop(ctx, "orders").Result() //@1
	if err != nil {
		return false, err
	}
	for {
		locked, err := rdb.SetNX(ctx, "lock", "1", 0).Result() //@2
		if err != nil {
			return false, err
		}
		if locked {
			break
		}
		time.Sleep(10 * time.Millisecond) //@3
	}
	defer rdb.Del(context.WithoutCancel(ctx), "lock") //@13-14
	stock, err := rdb.Get(ctx, item).Int() //@7
	if err != nil {
		return false, err //@15
	}
	if stock > 0 { //@8
		if err := rdb.Set(ctx, item, stock-1, 0).Err(); err != nil { //@9
			return false, err
		}
		return true, nil //@10
	}
	return false, nil
}
