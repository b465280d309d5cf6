local n = uuid()
redis.call("RPUSH", "documents", n)
number = n
