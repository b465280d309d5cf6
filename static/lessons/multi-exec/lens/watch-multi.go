package bank

import (
	"context"
	"errors"

	"github.com/redis/go-redis/v9"
)

// Pay answers false where alice has too little, or her balance has changed in between.
func Pay(ctx context.Context, rdb *redis.Client) (bool, error) {
	paid := false
	pay := func(tx *redis.Tx) error {
		alice, err := tx.Get(ctx, "alice").Int() //@2
		if err != nil || alice < 10 {            //@3
			return err // Watch sends UNWATCH //@11
		}
		_, err = tx.TxPipelined(ctx, func(pipe redis.Pipeliner) error { //@4
			pipe.DecrBy(ctx, "alice", 10) //@5
			pipe.IncrBy(ctx, "bob", 10)   //@6
			return nil
		}) //@7
		paid = err == nil //@8
		return err
	}
	err := rdb.Watch(ctx, pay, "alice") //@1
	if errors.Is(err, redis.TxFailedErr) {
		err = nil
	}
	return paid, err
}
