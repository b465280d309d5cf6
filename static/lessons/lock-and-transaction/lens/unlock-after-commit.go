package orders

import (
	"context"
	"database/sql"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"
)

var unlock = redis.NewScript(`
if redis.call("GET", KEYS[1]) == ARGV[1] then
  redis.call("DEL", KEYS[1])
end`) //@1-4

func Sell(ctx context.Context, rdb *redis.Client, db *sql.DB) error {
	me := uuid.NewString() //@5
	for {
		taken, err := rdb.SetNX(ctx, "lock:7", me, 30*time.Second).Result() //@6
		if err != nil {
			return err
		}
		if taken {
			break
		}
		time.Sleep(30 * time.Millisecond) //@6
	}
	defer unlock.Run(context.WithoutCancel(ctx), rdb, []string{"lock:7"}, me) //@10
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
