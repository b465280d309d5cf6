package signup

import (
	"context"

	"github.com/redis/go-redis/v9"
)

const places = 2

func Register(ctx context.Context, rdb *redis.Client) (bool, error) {
	num, err := rdb.Incr(ctx, "num").Result() //@1
	if err != nil {
		return false, err
	}
	if num <= places { //@2
		return true, nil //@3
	}
	// Also where ctx has been cancelled: the number counts this client.
	return false, rdb.Decr(context.WithoutCancel(ctx), "num").Err() //@5
}
