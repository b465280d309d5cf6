package report

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"
)

var acquire = redis.NewScript(`
if redis.call("SET", KEYS[1], ARGV[1], "NX", "PX", 10000) then
  return redis.call("INCR", KEYS[2])
end
return nil`) //@1-5
var release = redis.NewScript(`
if redis.call("GET", KEYS[1]) == ARGV[1] then
  return redis.call("DEL", KEYS[1])
end
return 0`) //@6-10
const update = "UPDATE doc SET body = ?, token = ? WHERE id = 1 AND token <= ?" //@11

// Write answers with 0 rows where a newer report is there, with redis.Nil if the lock stays taken.
func Write(ctx context.Context, rdb *redis.Client, body string, db *sql.DB) (int64, error) {
	me, start, keys := uuid.NewString(), time.Now(), []string{"lock", "fence"} //@13
	token, err := acquire.Run(ctx, rdb, keys, me).Int64()                      //@15
	for errors.Is(err, redis.Nil) && time.Since(start) < 5*time.Second {       //@16
		time.Sleep(30 * time.Millisecond)                    //@17
		token, err = acquire.Run(ctx, rdb, keys, me).Int64() //@14-15
	} //@19
	if err != nil {
		return 0, err
	}
	defer release.Run(context.WithoutCancel(ctx), rdb, []string{"lock"}, me)      //@27
	if _, err := db.ExecContext(ctx, update, "draft", token, token); err != nil { //@22
		return 0, err
	}
	result, err := db.ExecContext(ctx, update, body, token, token) //@23
	if err != nil {
		return 0, err
	}
	return result.RowsAffected() //@24-25
}
