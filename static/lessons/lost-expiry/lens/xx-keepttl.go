package session

import (
	"context"

	"github.com/redis/go-redis/v9"
)

// NoteSeen answers false where the session has ended.
func NoteSeen(ctx context.Context, rdb *redis.Client) (bool, error) {
	session, err := rdb.Get(ctx, "session").Result() //@1
	if err == redis.Nil {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	// An expiration of 0 would drop the expiry.
	return rdb.SetXX(ctx, "session", session+",seen", redis.KeepTTL).Result() //@3
}
