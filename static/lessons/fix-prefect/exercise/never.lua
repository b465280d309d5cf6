destroyed = redis.call("XPENDING", "events", "live")[1] < 0
