package session

import (
	"context"

	"github.com/redis/go-redis/v9"
)

// UseDarkTheme answers false where the session has ended.
func UseDarkTheme(ctx context.Context, rdb *redis.Client) (bool, error) {
	session, err := rdb.Get(ctx, "session").Result() //@1
	if err == redis.Nil {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return rdb.SetXX(ctx, "session", session+",dark", redis.KeepTTL).Result() //@2
}
