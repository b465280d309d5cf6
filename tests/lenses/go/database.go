package main

import (
	"context"
	"database/sql/driver"
	"fmt"

	"github.com/redis/go-redis/v9"
)

const update = "UPDATE doc SET body = ?, token = ? WHERE id = 1 AND token <= ?"

// database stands in for a driver of database/sql, and its connection: the one statement that lenses
// have, on a row that is a hash in Redis.
type database struct {
	rdb  *redis.Client
	work func()
}

func (d database) Connect(context.Context) (driver.Conn, error) { return d, nil }
func (d database) Driver() driver.Driver                        { return nil }
func (d database) Close() error                                 { return nil }

func (d database) Prepare(query string) (driver.Stmt, error) {
	return nil, fmt.Errorf("unknown statement: %s", query)
}

func (d database) Begin() (driver.Tx, error) { return nil, fmt.Errorf("there are no transactions") }

func (d database) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	if query != update || len(args) != 3 {
		return nil, fmt.Errorf("unknown statement with %d arguments: %s", len(args), query)
	}
	stored, err := d.rdb.HGet(ctx, "doc", "token").Int64()
	if err != nil {
		return nil, err
	}
	defer d.work()
	if most, is := args[2].Value.(int64); !is || stored > most {
		return driver.RowsAffected(0), nil
	}
	return driver.RowsAffected(1), d.rdb.HSet(ctx, "doc", "body", args[0].Value, "token", args[1].Value).Err()
}
