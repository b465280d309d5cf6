package campaign

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/redis/go-redis/v9"
)

// DoublePoints returns redis.TxFailedErr where every attempt was refused.
func DoublePoints(ctx context.Context, rdb *redis.Client) error {
	double := func(tx *redis.Tx) error {
		points, err := tx.Get(ctx, "points").Int64() //@5
		if err != nil {
			return err
		}
		_, err = tx.TxPipelined(ctx, func(pipe redis.Pipeliner) error { //@6
			pipe.Set(ctx, "points", points*2, 0) //@7
			return nil
		}) //@8
		return err
	}
	for range 10 {
		err := rdb.Watch(ctx, double, "points") //@4
		if !errors.Is(err, redis.TxFailedErr) { //@9
			return err
		}
		time.Sleep(rand.N(20 * time.Millisecond))
	}
	return redis.TxFailedErr
}
