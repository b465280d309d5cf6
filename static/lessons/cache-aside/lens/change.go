package prices

import (
	"context"

	"github.com/redis/go-redis/v9"
)

func Change(
	ctx context.Context, rdb *redis.Client, update func(context.Context) (int64, error),
) error {
	if _, err := update(ctx); err != nil { // returns after the commit //@1
		return err
	}
	// Also where ctx has been cancelled: the table has the new price.
	return rdb.Del(context.WithoutCancel(ctx), "price:7").Err() //@2
}
