package invoices

import (
	"context"
	"log"
	"time"

	"github.com/redis/go-redis/v9"
)

const lease = 30 * time.Second // longer than any job takes

var take = redis.NewScript(`
for _, job in ipairs(redis.call("LRANGE", KEYS[2], 0, -1)) do
  if redis.call("SET", "lease:" .. job, 1, "NX", "PX", ARGV[1]) then return job end
end
local job = redis.call("LMOVE", KEYS[1], KEYS[2], "LEFT", "RIGHT")
if job then redis.call("SET", "lease:" .. job, 1, "PX", ARGV[1]) end
return job`) //@3-7

// WorkOff returns when no job is left. It may call send twice for one job.
func WorkOff(ctx context.Context, rdb *redis.Client, send func(context.Context, string) error) error {
	for {
		left, err := rdb.Exists(ctx, "queue", "doing").Result() //@17
		if err != nil || left == 0 {
			return err
		}
		job, err := take.Run(ctx, rdb, []string{"queue", "doing"}, lease.Milliseconds()).Text() //@11
		if err == redis.Nil {
			time.Sleep(time.Second) //@12
			continue
		}
		if err != nil {
			return err
		}
		if err := send(ctx, job); err != nil { //@13
			log.Printf("%s fails, and is taken again after its lease: %v", job, err)
			continue
		}
		if err := rdb.LRem(ctx, "doing", 1, job).Err(); err != nil { //@14
			return err
		}
	}
}
