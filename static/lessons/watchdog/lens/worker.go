package worker

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
)

const lease = 30 * time.Second

var renew = redis.NewScript(`if redis.call("GET", KEYS[1]) ~= ARGV[1] then return 0 end
	return redis.call("PEXPIRE", KEYS[1], ARGV[2])`)

var release = redis.NewScript(`if redis.call("GET", KEYS[1]) ~= ARGV[1] then return 0 end
	return redis.call("DEL", KEYS[1])`) //@9-18

// WorkOnce works under a lock named key, as owner me; false where somebody else does.
func WorkOnce(
	ctx context.Context, r *redis.Client, key, me string, work func(context.Context),
) (bool, error) {
	taken, err := r.SetNX(ctx, key, me, lease).Result() //@1-8
	if err != nil || !taken { //@20
		return false, err
	}
	working, stop := context.WithCancel(ctx)
	go func() {
		defer stop() // where the lock is lost, the work is told
		for {
			select {
			case <-working.Done():
				return
			case <-time.After(lease / 3):
				held, err := renew.Run(working, r, []string{key}, me, lease.Milliseconds()).Int()
				if err != nil || held == 0 {
					return
				}
			}
		}
	}()
	work(working) //@22-23
	stop()
	return true, release.Run(ctx, r, []string{key}, me).Err() //@25
}
