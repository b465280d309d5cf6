package redlock

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"
)

const ttl, drift = 30 * time.Millisecond, time.Millisecond //@7

var unlock = redis.NewScript(`
if redis.call("GET", KEYS[1]) == ARGV[1] then
  return redis.call("DEL", KEYS[1])
end
return 0`) //@1-5

// WorkLocked needs clients with short timeouts and MaxRetries: -1; false where no attempt won.
func WorkLocked(ctx context.Context, nodes []*redis.Client, work func(context.Context)) bool { //@6
	token := uuid.NewString() //@8
	for range 2 {             //@10
		votes := 0                                           //@11
		working, stop := context.WithTimeout(ctx, ttl-drift) //@11,16
		for _, node := range nodes {                         //@12
			if node.SetNX(ctx, "lock", token, ttl).Val() { // no answer is no vote //@13
				votes++ //@14
			}
		}
		won := votes > len(nodes)/2 && working.Err() == nil //@17
		if won {
			work(working) //@18-21
		}
		stop()
		for _, node := range nodes { // also where ctx has been cancelled //@23
			unlock.Run(context.WithoutCancel(ctx), node, []string{"lock"}, token) //@24
		}
		if won {
			return true //@26
		}
		time.Sleep(5*time.Millisecond + rand.N(15*time.Millisecond)) //@27
	}
	return false
}
