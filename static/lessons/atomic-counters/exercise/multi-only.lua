local score = redis.call("ZSCORE", "board", "ada")
redis.call("MULTI")
redis.call("ZADD", "board", score + 10, "ada")
redis.call("EXEC")
