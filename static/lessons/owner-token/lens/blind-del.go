package jobs

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"
)

func Run(ctx context.Context, rdb *redis.Client) error {
	me := uuid.NewString() //@1
	for {
		locked, err := rdb.SetNX(ctx, "lock", me, 10*time.Second).Result() //@2
		if err != nil {
			return err
		}
		if locked {
			break
		}
		time.Sleep(10 * time.Millisecond) //@3
	}
	defer rdb.GetDel(context.WithoutCancel(ctx), "lock") //@8
	return rdb.Incr(ctx, "jobs").Err() //@6
}
