local new = redis.call("LPOP", "forms")
redis.call("RPUSH", "changes", new)
