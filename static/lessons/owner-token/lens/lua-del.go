package jobs

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"
)

var release = redis.NewScript(`
if redis.call("GET", KEYS[1]) == ARGV[1] then
  return redis.call("GETDEL", KEYS[1])
end
return false`) //@1-5

var ErrTooLate = errors.New("the lease was over before the job was")

func Run(ctx context.Context, rdb *redis.Client) (err error) {
	me := uuid.NewString()                                         //@6
	for start := time.Now(); ; time.Sleep(10 * time.Millisecond) { //@8
		locked, err := rdb.SetNX(ctx, "lock", me, 10*time.Second).Result() //@7
		if err != nil {
			return err
		}
		if locked {
			break
		}
		if time.Since(start) >= 5*time.Second {
			return context.DeadlineExceeded
		}
	}
	defer func() {
		ctx := context.WithoutCancel(ctx)
		late := release.Run(ctx, rdb, []string{"lock"}, me).Err() //@13
		if errors.Is(late, redis.Nil) {
			late = ErrTooLate
		}
		err = errors.Join(err, late)
	}()
	return rdb.Incr(ctx, "jobs").Err() //@11
}
