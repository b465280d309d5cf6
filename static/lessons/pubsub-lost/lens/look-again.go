package jobs

import (
	"context"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

// Wait returns nil as soon as job 7 is done, and an error after a minute.
func Wait(ctx context.Context, rdb *redis.Client) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	news := rdb.Subscribe(ctx, "job:7:done") //@1-2
	defer news.Close()
	// Tells of every subscription too, also of those after a lost connection.
	heard := news.ChannelWithSubscriptions() //@2,6-7
	for {
		select {
		case <-heard: //@4,6-7
		case <-time.After(time.Second): //@4
		case <-ctx.Done():
			return ctx.Err()
		}
		state, err := rdb.Get(ctx, "job:7").Result() //@3
		if state == "done" {
			return nil //@10
		}
		if err != nil && !errors.Is(err, redis.Nil) {
			return err
		}
	}
}
