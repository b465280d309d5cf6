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
	return false, rdb.Decr(ctx, "num").Err() //@5
}
