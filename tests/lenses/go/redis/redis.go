// Package redis stands in for go-redis, whose modules the tests cannot fetch: the part of its
// interface that lenses use, with its types, over one connection.
package redis

import (
	"context"
	"errors"
	"strconv"
	"time"
)

var (
	Nil         = errors.New("redis: nil")
	TxFailedErr = errors.New("redis: transaction failed")
)

// KeepTTL is an expiration: the one that the key has.
const KeepTTL = -1

type Z struct {
	Score  float64
	Member any
}

type ZAddArgs struct {
	XX, Ch  bool
	Members []Z
}

// ---- Replies

type Cmder interface{ Err() error }

type base[T any] struct {
	val T
	err error
}

func (c *base[T]) Err() error         { return c.err }
func (c *base[T]) Val() T             { return c.val }
func (c *base[T]) Result() (T, error) { return c.val, c.err }

type (
	StatusCmd struct{ base[string] }
	IntCmd    struct{ base[int64] }
	BoolCmd   struct{ base[bool] }
	FloatCmd  struct{ base[float64] }
	StringCmd struct{ base[string] }
	SliceCmd  struct{ base[[]any] }
	Cmd       struct{ base[any] }
)

func (c *StringCmd) Int() (int, error) {
	if c.err != nil {
		return 0, c.err
	}
	return strconv.Atoi(c.val)
}

func (c *StringCmd) Int64() (int64, error) {
	if c.err != nil {
		return 0, c.err
	}
	return strconv.ParseInt(c.val, 10, 64)
}

func (c *Cmd) Int() (int, error) {
	if c.err != nil {
		return 0, c.err
	}
	switch val := c.val.(type) {
	case int64:
		return int(val), nil
	case string:
		return strconv.Atoi(val)
	}
	return 0, errors.New("redis: unexpected type for Int")
}

func (c *Cmd) Text() (string, error) {
	if c.err != nil {
		return "", c.err
	}
	text, is := c.val.(string)
	if !is {
		return "", errors.New("redis: unexpected type for String")
	}
	return text, nil
}

func (c *Cmd) Int64() (int64, error) {
	number, err := c.Int()
	return int64(number), err
}

func (c *Cmd) Int64Slice() ([]int64, error) {
	if c.err != nil {
		return nil, c.err
	}
	all, is := c.val.([]any)
	if !is {
		return nil, errors.New("redis: unexpected type for Slice")
	}
	numbers := make([]int64, len(all))
	for at, one := range all {
		number, err := (&Cmd{base[any]{val: one}}).Int64()
		if err != nil {
			return nil, err
		}
		numbers[at] = number
	}
	return numbers, nil
}

// ---- Commands

type cmdable struct {
	call func(ctx context.Context, words ...any) (any, error)
}

func (c cmdable) status(ctx context.Context, words ...any) *StatusCmd {
	reply, err := c.call(ctx, words...)
	text, _ := reply.(string)
	return &StatusCmd{base[string]{text, err}}
}

func (c cmdable) integer(ctx context.Context, words ...any) *IntCmd {
	reply, err := c.call(ctx, words...)
	number, _ := reply.(int64)
	return &IntCmd{base[int64]{number, err}}
}

func (c cmdable) text(ctx context.Context, words ...any) *StringCmd {
	reply, err := c.call(ctx, words...)
	text, _ := reply.(string)
	return &StringCmd{base[string]{text, err}}
}

func (c cmdable) float(ctx context.Context, words ...any) *FloatCmd {
	reply, err := c.call(ctx, words...)
	text, _ := reply.(string)
	number, _ := strconv.ParseFloat(text, 64)
	return &FloatCmd{base[float64]{number, err}}
}

func (c cmdable) Get(ctx context.Context, key string) *StringCmd {
	return c.text(ctx, "GET", key)
}

func (c cmdable) GetDel(ctx context.Context, key string) *StringCmd {
	return c.text(ctx, "GETDEL", key)
}

func (c cmdable) Set(ctx context.Context, key string, value any, expiration time.Duration) *StatusCmd {
	if expiration == 0 {
		return c.status(ctx, "SET", key, value)
	}
	return c.status(ctx, "SET", key, value, "PX", expiration.Milliseconds())
}

func (c cmdable) SetNX(ctx context.Context, key string, value any, expiration time.Duration) *BoolCmd {
	words := []any{"SET", key, value, "NX"}
	if expiration > 0 {
		words = append(words, "PX", expiration.Milliseconds())
	}
	_, err := c.call(ctx, words...)
	if err == Nil {
		return &BoolCmd{}
	}
	return &BoolCmd{base[bool]{err == nil, err}}
}

func (c cmdable) SetXX(ctx context.Context, key string, value any, expiration time.Duration) *BoolCmd {
	words := []any{"SET", key, value, "XX"}
	if expiration == KeepTTL {
		words = append(words, "KEEPTTL")
	} else if expiration > 0 {
		words = append(words, "PX", expiration.Milliseconds())
	}
	_, err := c.call(ctx, words...)
	if err == Nil {
		return &BoolCmd{}
	}
	return &BoolCmd{base[bool]{err == nil, err}}
}

func (c cmdable) MGet(ctx context.Context, keys ...string) *SliceCmd {
	words := []any{"MGET"}
	for _, key := range keys {
		words = append(words, key)
	}
	reply, err := c.call(ctx, words...)
	all, _ := reply.([]any)
	return &SliceCmd{base[[]any]{all, err}}
}

// MSet takes a map, or keys and values in turn.
func (c cmdable) MSet(ctx context.Context, values ...any) *StatusCmd {
	words := []any{"MSET"}
	for _, value := range values {
		if pairs, is := value.(map[string]any); is {
			for key, value := range pairs {
				words = append(words, key, value)
			}
		} else {
			words = append(words, value)
		}
	}
	return c.status(ctx, words...)
}

func (c cmdable) Del(ctx context.Context, keys ...string) *IntCmd {
	words := []any{"DEL"}
	for _, key := range keys {
		words = append(words, key)
	}
	return c.integer(ctx, words...)
}

func (c cmdable) Exists(ctx context.Context, keys ...string) *IntCmd {
	words := []any{"EXISTS"}
	for _, key := range keys {
		words = append(words, key)
	}
	return c.integer(ctx, words...)
}

func (c cmdable) Incr(ctx context.Context, key string) *IntCmd { return c.integer(ctx, "INCR", key) }
func (c cmdable) Decr(ctx context.Context, key string) *IntCmd { return c.integer(ctx, "DECR", key) }

func (c cmdable) DecrBy(ctx context.Context, key string, decrement int64) *IntCmd {
	return c.integer(ctx, "DECRBY", key, decrement)
}

func (c cmdable) IncrBy(ctx context.Context, key string, value int64) *IntCmd {
	return c.integer(ctx, "INCRBY", key, value)
}

func (c cmdable) LPop(ctx context.Context, key string) *StringCmd {
	return c.text(ctx, "LPOP", key)
}

func (c cmdable) RPush(ctx context.Context, key string, values ...any) *IntCmd {
	return c.integer(ctx, append([]any{"RPUSH", key}, values...)...)
}

func (c cmdable) LRem(ctx context.Context, key string, count int64, value any) *IntCmd {
	return c.integer(ctx, "LREM", key, count, value)
}

func (c cmdable) HGet(ctx context.Context, key, field string) *StringCmd {
	return c.text(ctx, "HGET", key, field)
}

func (c cmdable) HSet(ctx context.Context, key string, values ...any) *IntCmd {
	return c.integer(ctx, append([]any{"HSET", key}, values...)...)
}

func (c cmdable) HSetNX(ctx context.Context, key, field string, value any) *BoolCmd {
	reply, err := c.call(ctx, "HSETNX", key, field, value)
	return &BoolCmd{base[bool]{reply == int64(1), err}}
}

func (c cmdable) HIncrBy(ctx context.Context, key, field string, incr int64) *IntCmd {
	return c.integer(ctx, "HINCRBY", key, field, incr)
}

func (c cmdable) SAdd(ctx context.Context, key string, members ...any) *IntCmd {
	return c.integer(ctx, append([]any{"SADD", key}, members...)...)
}

func (c cmdable) ZAdd(ctx context.Context, key string, members ...Z) *IntCmd {
	return c.ZAddArgs(ctx, key, ZAddArgs{Members: members})
}

func (c cmdable) ZAddArgs(ctx context.Context, key string, args ZAddArgs) *IntCmd {
	words := []any{"ZADD", key}
	if args.XX {
		words = append(words, "XX")
	}
	if args.Ch {
		words = append(words, "CH")
	}
	for _, member := range args.Members {
		words = append(words, strconv.FormatFloat(member.Score, 'f', -1, 64), member.Member)
	}
	return c.integer(ctx, words...)
}

func (c cmdable) ZScore(ctx context.Context, key, member string) *FloatCmd {
	return c.float(ctx, "ZSCORE", key, member)
}

func (c cmdable) ZIncrBy(ctx context.Context, key string, increment float64, member string) *FloatCmd {
	return c.float(ctx, "ZINCRBY", key, increment, member)
}

func (c cmdable) ZRank(ctx context.Context, key, member string) *IntCmd {
	return c.integer(ctx, "ZRANK", key, member)
}

func (c cmdable) ZRem(ctx context.Context, key string, members ...any) *IntCmd {
	return c.integer(ctx, append([]any{"ZREM", key}, members...)...)
}

func (c cmdable) ZRemRangeByScore(ctx context.Context, key, min, max string) *IntCmd {
	return c.integer(ctx, "ZREMRANGEBYSCORE", key, min, max)
}

func (c cmdable) Eval(ctx context.Context, script string, keys []string, args ...any) *Cmd {
	words := []any{"EVAL", script, len(keys)}
	for _, key := range keys {
		words = append(words, key)
	}
	reply, err := c.call(ctx, append(words, args...)...)
	return &Cmd{base[any]{reply, err}}
}

// ---- Scripts

type Scripter interface {
	Eval(ctx context.Context, script string, keys []string, args ...any) *Cmd
}

type Script struct{ src string }

func NewScript(src string) *Script { return &Script{src} }

func (s *Script) Run(ctx context.Context, c Scripter, keys []string, args ...any) *Cmd {
	return c.Eval(ctx, s.src, keys, args...)
}

// ---- The client, and transactions

type Client struct {
	cmdable
	address string
}

type Options struct{ Addr string }

func NewClient(options *Options) *Client {
	return &Client{cmdable{dial(options.Addr).call}, options.Addr}
}

type Pipeliner interface {
	DecrBy(ctx context.Context, key string, decrement int64) *IntCmd
	HIncrBy(ctx context.Context, key, field string, incr int64) *IntCmd
	IncrBy(ctx context.Context, key string, value int64) *IntCmd
	SAdd(ctx context.Context, key string, members ...any) *IntCmd
	Set(ctx context.Context, key string, value any, expiration time.Duration) *StatusCmd
	ZRem(ctx context.Context, key string, members ...any) *IntCmd
}

type Tx struct{ cmdable }

// Watch has a connection of its own.
func (c *Client) Watch(ctx context.Context, fn func(*Tx) error, keys ...string) error {
	w := dial(c.address)
	defer w.Close()
	words := []any{"WATCH"}
	for _, key := range keys {
		words = append(words, key)
	}
	if _, err := w.call(ctx, words...); err != nil {
		return err
	}
	return fn(&Tx{cmdable{w.call}})
}

func (tx *Tx) TxPipelined(ctx context.Context, fn func(Pipeliner) error) ([]Cmder, error) {
	if _, err := tx.call(ctx, "MULTI"); err != nil {
		return nil, err
	}
	if err := fn(tx); err != nil {
		return nil, err
	}
	_, err := tx.call(ctx, "EXEC")
	if err == Nil {
		err = TxFailedErr
	}
	return nil, err
}
