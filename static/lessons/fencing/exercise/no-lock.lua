me = uuid()
token = redis.call("INCR", "fence")
holding = true
written = resource("storage"):write("report of " .. me, token)
refused = not written
holding = false
