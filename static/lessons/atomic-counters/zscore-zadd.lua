local score = redis.call("ZSCORE", "board", "ada")
redis.call("ZADD", "board", score + 10, "ada")
