package worker

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
)

const lease = 30 * time.Second

var renew = redis.NewScript(`if redis.call("GET", KEYS[1]) ~= ARGV[1] then return 0 end
	return redis.call("PEXPIRE", KEYS[1], ARGV[2])`)
var release = redis.NewScript(`if redis.call("GET", KEYS[1]) == ARGV[1] then
	return redis.call("DEL", KEYS[1]) end return redis.error_reply("LOST during the work")`) //@9-18

// WorkOnce is false where another owner than me is at work, and an error where the lock was lost.
func WorkOnce(ctx context.Context, r *redis.Client, key, me string,
	work func(context.Context)) (worked bool, err error) {
	asked, keys := time.Now(), []string{key}
	taken, err := r.SetNX(ctx, key, me, lease).Result() //@1-8
	if err != nil || !taken {                           //@20
		return false, err
	}
	working, stop := context.WithCancel(ctx)
	expiry := time.AfterFunc(lease-time.Since(asked), stop) // a whole lease without renewal
	defer func() {                                          // also after a panic of work
		stop()
		err = release.Run(context.WithoutCancel(ctx), r, keys, me).Err() //@25
	}()
	go func() {
		for working.Err() == nil {
			select {
			case <-working.Done():
			case <-time.After(lease / 3):
			}
			asked := time.Now()
			if held, err := renew.Run(working, r, keys, me, lease.Milliseconds()).Int(); err == nil {
				expiry.Reset(time.Duration(held)*lease - time.Since(asked)) // lost: stops at once
			}
		}
	}()
	work(working) //@22-23
	return true, nil
}
