redis.call("DEL", "session")
out = true
