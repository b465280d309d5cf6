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

// WorkOnce works under a lock named key, as owner me; false where another client does.
func WorkOnce(
	ctx context.Context, r *redis.Client, key, me string, work func(context.Context),
) (worked bool, err error) {
	until := time.Now().Add(lease)
	taken, err := r.SetNX(ctx, key, me, lease).Result() //@1-8
	if err != nil || !taken { //@20
		return false, err
	}
	working, stop := context.WithCancel(ctx)
	defer func() { // also after a panic of work, and where ctx has been cancelled
		stop()
		err = release.Run(context.WithoutCancel(ctx), r, []string{key}, me).Err() //@25
	}()
	go func() {
		defer stop() // where the lock is lost, the work is told
		for range time.Tick(lease / 3) {
			next := time.Now().Add(lease)
			held, err := renew.Run(working, r, []string{key}, me, lease.Milliseconds()).Int()
			if err == nil && held == 1 {
				until = next
			} else if err == nil || working.Err() != nil || time.Now().After(until) {
				return // lost, or the work is done, or no answer for a whole lease
			}
		}
	}()
	work(working) //@22-23
	return true, nil
}
