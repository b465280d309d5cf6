redis.call("ZADD", "board", 120, "ada")
