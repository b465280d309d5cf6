package checkout

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"
)

var release = redis.NewScript(`for _, key in ipairs(KEYS) do
  if redis.call("GET", key) == ARGV[1] then redis.call("DEL", key) end
end return 1`) //@1-3

func CheckOut(ctx context.Context, rdb *redis.Client) (sold bool, err error) {
	me := uuid.NewString()                       //@4
	cart, err := rdb.LPop(ctx, "carts").Result() //@8
	if err != nil {
		return false, err
	}
	items := strings.Split(cart, ",") // two different ones
	slices.Sort(items)                // one order for all clients //@9
	locks := []string{"lock:" + items[0], "lock:" + items[1]}
	defer release.Run(context.WithoutCancel(ctx), rdb, locks, me) //@17
	for i := 0; i < len(locks); {                                 //@10-11
		locked, err := rdb.SetNX(ctx, locks[i], me, 10*time.Second).Result() //@5-7
		if err != nil {
			return false, err
		} else if locked {
			i++
		} else {
			time.Sleep(30 * time.Millisecond) //@6
		}
	}
	left, err := rdb.MGet(ctx, items...).Result() //@12
	if err != nil || slices.Contains(left, "0") { //@13
		return false, err
	}
	a, _ := strconv.Atoi(left[0].(string))
	b, _ := strconv.Atoi(left[1].(string))
	return true, rdb.MSet(ctx, items[0], a-1, items[1], b-1).Err() //@14-15
}
