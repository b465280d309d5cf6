package checkout

import (
	"cmp"
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"
)

var release = redis.NewScript(`local n = 0 for _, key in ipairs(KEYS) do
  if redis.call("GET", key) == ARGV[1] then n = n + redis.call("DEL", key) end
end return n == #KEYS and n or redis.error_reply("a lock was lost during the work")`) //@1-3

func CheckOut(ctx context.Context, rdb *redis.Client) (sold bool, err error) {
	me, end := uuid.NewString(), context.WithoutCancel(ctx) //@4
	cart, err := rdb.LPop(ctx, "carts").Result()            //@8
	if err != nil {
		return false, err
	}
	one, two, _ := strings.Cut(cart, ",")   // two different ones
	one, two = min(one, two), max(one, two) // one order for all clients //@9
	locks := []string{"lock:" + one, "lock:" + two}
	defer func() { err = cmp.Or(err, release.Run(end, rdb, locks, me).Err()) }() //@17
	for i, start := 0, time.Now(); i < len(locks); { //@10-11
		locked, err := rdb.SetNX(ctx, locks[i], me, 10*time.Second).Result() //@5-7
		if locked {
			i++
		} else if err != nil || time.Since(start) >= 5*time.Second { // shorter than a lease
			return false, cmp.Or(err, rdb.RPush(end, "carts", cart).Err(), context.DeadlineExceeded)
		} else {
			time.Sleep(30 * time.Millisecond) //@6
		}
	}
	left, err := rdb.MGet(ctx, one, two).Result()       //@12
	if err != nil || left[0] == "0" || left[1] == "0" { //@13
		return false, err
	}
	a, _ := strconv.Atoi(left[0].(string))
	b, _ := strconv.Atoi(left[1].(string))
	return true, rdb.MSet(ctx, one, a-1, two, b-1).Err() //@14-15
}
