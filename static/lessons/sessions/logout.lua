redis.call("DEL", "session:7")
out = true
