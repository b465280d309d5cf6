package board

import (
	"context"

	"github.com/redis/go-redis/v9"
)

func Reward(ctx context.Context, rdb *redis.Client) error {
	score, err := rdb.ZScore(ctx, "board", "ada").Result() //@1
	if err != nil {
		return err
	}
	return rdb.ZAdd(ctx, "board", redis.Z{Score: score + 10, Member: "ada"}).Err() //@2
}
