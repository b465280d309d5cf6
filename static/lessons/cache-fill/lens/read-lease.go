package prices

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"
)

var fill = redis.NewScript(`
if redis.call("GET", KEYS[2]) == ARGV[2] then
  redis.call("SET", KEYS[1], ARGV[1], "PX", 1000)
  redis.call("DEL", KEYS[2])
  return 1
end
return 0`) //@1-7

func Read(
	ctx context.Context, rdb *redis.Client, selectPrice func(context.Context) (int64, error),
) (int64, error) {
	price, err := rdb.Get(ctx, "price:7").Int64() //@8
	if !errors.Is(err, redis.Nil) {               //@9
		return price, err
	}
	token := uuid.NewString()                                                    //@10
	mine, err := rdb.SetNX(ctx, "lease:7", token, 10*time.Second).Result() //@11
	if err != nil {
		return 0, err
	}
	price, err = selectPrice(ctx) //@12
	if err != nil {
		return 0, err
	}
	if mine { //@13
		err = fill.Run(ctx, rdb, []string{"price:7", "lease:7"}, price, token).Err() //@14
	} //@15
	return price, err //@16-17
}
