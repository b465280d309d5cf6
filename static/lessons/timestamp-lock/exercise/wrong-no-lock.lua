redis.call("INCR", "foo")
