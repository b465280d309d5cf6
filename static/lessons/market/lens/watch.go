package market

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/redis/go-redis/v9"
)

// BuyLamp is false where the lamp is gone or funds are short; TxFailedErr after ten refusals.
func BuyLamp(ctx context.Context, rdb *redis.Client, buyer string) (bool, error) { //@1
	bought := false
	buy := func(tx *redis.Tx) error {
		price, err := tx.ZScore(ctx, "market", "lamp.carol").Result() //@4
		if errors.Is(err, redis.Nil) {                                //@6
			return nil // Watch sends UNWATCH //@7-8
		}
		if err != nil {
			return err
		}
		funds, err := tx.HGet(ctx, buyer, "funds").Int64() //@5
		if err != nil || funds < int64(price) {            //@6
			return err //@7-8
		}
		_, err = tx.TxPipelined(ctx, func(pipe redis.Pipeliner) error { //@10
			pipe.HIncrBy(ctx, buyer, "funds", -int64(price))       //@11
			pipe.HIncrBy(ctx, "user:carol", "funds", int64(price)) //@12
			pipe.SAdd(ctx, buyer+":items", "lamp")                 //@13
			pipe.ZRem(ctx, "market", "lamp.carol")                 //@14
			return nil
		}) //@15
		bought = err == nil
		return err
	}
	for range 10 { //@2
		err := rdb.Watch(ctx, buy, "market", buyer) //@3
		if !errors.Is(err, redis.TxFailedErr) {     //@16
			return bought, err
		}
		time.Sleep(rand.N(20 * time.Millisecond))
	}
	return false, redis.TxFailedErr
}
