local score = redis.call("ZSCORE", "board", "ada")
redis.call("ZADD", "board", "GT", score + 10, "ada")
