package orders

import (
	"cmp"
	"context"
	"database/sql"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"
)

var unlock = redis.NewScript(`if redis.call("GET", KEYS[1]) == ARGV[1] then
  return redis.call("DEL", KEYS[1])
end
return redis.error_reply("the lock was lost during the work")`) //@1-4

// Sell fails also where the lock was lost: another client may have read the same n.
func Sell(ctx context.Context, rdb *redis.Client, db *sql.DB) (err error) {
	me, end := uuid.NewString(), context.WithoutCancel(ctx)        //@5
	for start := time.Now(); ; time.Sleep(30 * time.Millisecond) { //@6
		taken, err := rdb.SetNX(ctx, "lock:7", me, 30*time.Second).Result() //@6
		if taken {
			break
		}
		if err != nil || time.Since(start) >= 5*time.Second {
			return cmp.Or(err, context.DeadlineExceeded)
		}
	}
	defer func() { err = cmp.Or(err, unlock.Run(end, rdb, []string{"lock:7"}, me).Err()) }() //@10
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // does nothing after a COMMIT, and runs before the unlock
	var n int
	row := tx.QueryRowContext(ctx, "SELECT n FROM item WHERE id = 7") //@7
	if err := row.Scan(&n); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, "UPDATE item SET n = ? WHERE id = 7", n-1); err != nil { //@8
		return err
	}
	return tx.Commit()
}
