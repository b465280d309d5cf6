redis.call("MULTI")
redis.call("XPENDING", "events", "live")
redis.call("XGROUP", "DESTROY", "events", "live")
destroyed = redis.call("EXEC")[1][1] == 0
