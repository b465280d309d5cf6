package shop

import (
	"context"
	"errors"

	"github.com/redis/go-redis/v9"
)

var ErrBusy = errors.New("busy, please try again")

func SellNext(ctx context.Context, rdb *redis.Client) (sold bool, err error) {
	item, err := rdb.LPop(ctx, "orders").Result() //@1
	if err != nil {
		return false, err
	}
	locked, err := rdb.SetNX(ctx, "lock", "1", 0).Result() //@2
	if err != nil {
		return false, err
	}
	if !locked {
		return false, ErrBusy //@3-4
	}
	defer rdb.Del(context.WithoutCancel(ctx), "lock") //@14
	stock, err := rdb.Get(ctx, item).Int() //@8
	if err != nil {
		return false, err //@16
	}
	if stock > 0 { //@9
		if err := rdb.Set(ctx, item, stock-1, 0).Err(); err != nil { //@10
			return false, err
		}
		return true, nil //@11
	}
	return false, nil
}
