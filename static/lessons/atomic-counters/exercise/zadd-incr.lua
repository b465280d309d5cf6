local score = redis.call("ZADD", "board", "INCR", 10, "ada")
