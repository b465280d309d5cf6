package main

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"

	"github.com/redis/go-redis/v9"
)

const (
	update   = "UPDATE doc SET body = ?, token = ? WHERE id = 1 AND token <= ?"
	look     = "SELECT n FROM item WHERE id = 7"
	subtract = "UPDATE item SET n = ? WHERE id = 7"
)

// database stands in for a driver of database/sql, and its connection: the statements that lenses
// have, on rows that are hashes in Redis. That of item is changed in a transaction, whose COMMIT is
// the work.
type database struct {
	rdb  *redis.Client
	work func()
	open *transaction
}

// transaction is the one that a connection is in, and the number that it will commit.
type transaction struct {
	database *database
	written  driver.Value
}

func (t *transaction) Commit() error {
	t.database.work()
	t.database.open = nil
	if t.written == nil {
		return nil
	}
	return t.database.rdb.HSet(context.Background(), "item", "n", t.written).Err()
}

func (t *transaction) Rollback() error {
	t.database.open = nil
	return nil
}

// rows are those of the SELECT: one, unless it was read.
type rows struct{ n driver.Value }

func (r *rows) Columns() []string { return []string{"n"} }
func (r *rows) Close() error      { return nil }
func (r *rows) Next(dest []driver.Value) error {
	if r.n == nil {
		return io.EOF
	}
	dest[0], r.n = r.n, nil
	return nil
}

func (d *database) Connect(context.Context) (driver.Conn, error) { return d, nil }
func (d *database) Driver() driver.Driver                        { return nil }
func (d *database) Close() error                                 { return nil }

func (d *database) Prepare(query string) (driver.Stmt, error) {
	return nil, fmt.Errorf("unknown statement: %s", query)
}

func (d *database) Begin() (driver.Tx, error) {
	d.open = &transaction{database: d}
	return d.open, nil
}

func (d *database) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	if query != look || len(args) != 0 {
		return nil, fmt.Errorf("unknown statement with %d arguments: %s", len(args), query)
	}
	if d.open == nil {
		return nil, errors.New("there is no transaction")
	}
	n, err := d.rdb.HGet(ctx, "item", "n").Int64()
	return &rows{n}, err
}

func (d *database) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	if query == subtract && len(args) == 1 && d.open != nil {
		d.open.written = args[0].Value
		return driver.RowsAffected(1), nil
	}
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
