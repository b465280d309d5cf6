package redlock

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"
)

const ttl, drift = 10 * time.Second, 102 * time.Millisecond //@7

var unlock = redis.NewScript(`if redis.call("GET", KEYS[1]) ~= ARGV[1] then return 0 end
	return redis.call("DEL", KEYS[1])`) //@1-5

// WorkLocked needs clients with short timeouts and MaxRetries: -1; false where no attempt won.
func WorkLocked(ctx context.Context, nodes []*redis.Client, work func(context.Context)) bool { //@6
	token := uuid.NewString() //@8
	for attempt := range 2 {  //@10
		time.Sleep(time.Duration(attempt) * (5 + rand.N[time.Duration](15)) * time.Millisecond) //@27
		if try(ctx, nodes, token, work) {
			return true //@26
		}
	}
	return false
}

func try(ctx context.Context, nodes []*redis.Client, me string, work func(context.Context)) bool {
	votes := 0                                           //@11
	working, stop := context.WithTimeout(ctx, ttl-drift) //@11,16
	defer stop()
	for _, node := range nodes { //@12,23
		// Also after a panic of work, and where ctx has been cancelled.
		defer unlock.Run(context.WithoutCancel(ctx), node, []string{"lock"}, me) //@24
		if node.SetNX(ctx, "lock", me, ttl).Val() {                              // no answer is no vote //@13
			votes++ //@14
		}
	}
	won := votes > len(nodes)/2 && working.Err() == nil //@17
	if won {
		work(working) //@18-21
	}
	return won
}
