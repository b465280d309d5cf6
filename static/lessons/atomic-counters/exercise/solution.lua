local score = redis.call("ZINCRBY", "board", 10, "ada")
