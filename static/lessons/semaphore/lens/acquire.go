package slots

import (
	"context"
	"strconv"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"
)

const limit, leaseMs = 2, 10_000

func nowMs() int64 { return time.Now().UnixMilli() }

func TryWork(ctx context.Context, rdb *redis.Client, work func()) (bool, error) {
	id := uuid.NewString() //@1
	expired := strconv.FormatInt(nowMs()-leaseMs, 10)
	err := rdb.ZRemRangeByScore(ctx, "slots", "-inf", expired).Err() //@2
	if err != nil {
		return false, err
	}
	entry := redis.Z{Score: float64(nowMs()), Member: id}
	if err := rdb.ZAdd(ctx, "slots", entry).Err(); err != nil { //@3
		return false, err
	}
	// Also where ctx has been cancelled.
	defer rdb.ZRem(context.WithoutCancel(ctx), "slots", id) //@9
	rank, err := rdb.ZRank(ctx, "slots", id).Result() //@4
	if err != nil || rank >= limit { //@4
		return false, err
	}
	work() //@5-7
	return true, nil
}
