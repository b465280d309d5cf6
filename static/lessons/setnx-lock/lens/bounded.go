package shop

import (
	"context"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

var ErrBusy = errors.New("busy, please try again")

func SellNext(ctx context.Context, rdb *redis.Client) (sold bool, err error) {
	item, err := rdb.LPop(ctx, "orders").Result() //@1
	if err != nil {
		return false, err
	}
	start := time.Now() //@2
	for {
		locked, err := rdb.SetNX(ctx, "lock", "1", 0).Result() //@3
		if err != nil {
			return false, err
		}
		if locked {
			break
		}
		if time.Since(start) >= 2*time.Second { //@4
			err := rdb.RPush(ctx, "orders", item).Err() //@5
			return false, errors.Join(ErrBusy, err)     //@6-7
		}
		time.Sleep(10 * time.Millisecond) //@9
	}
	defer rdb.Del(context.WithoutCancel(ctx), "lock") //@19
	stock, err := rdb.Get(ctx, item).Int()            //@13
	if err != nil {
		return false, err //@21
	}
	if stock > 0 { //@14
		if err := rdb.Set(ctx, item, stock-1, 0).Err(); err != nil { //@15
			return false, err
		}
		return true, nil //@16
	}
	return false, nil
}
