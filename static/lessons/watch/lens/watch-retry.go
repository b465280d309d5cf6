package campaign

import (
	"context"
	"errors"

	"github.com/redis/go-redis/v9"
)

func DoublePoints(ctx context.Context, rdb *redis.Client) error {
	double := func(tx *redis.Tx) error {
		points, err := tx.Get(ctx, "points").Int64() //@6
		if err != nil {
			return err
		}
		_, err = tx.TxPipelined(ctx, func(pipe redis.Pipeliner) error { //@7
			pipe.Set(ctx, "points", points*2, 0) //@8
			return nil
		}) //@9
		return err
	}
	for {
		err := rdb.Watch(ctx, double, "points") //@5
		if !errors.Is(err, redis.TxFailedErr) { //@10
			return err
		}
	}
}
