redis.call("MSET", "ann", 12, "bob", 8)
