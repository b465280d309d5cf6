local new = redis.call("LPOP", "forms")
redis.call("RPUSH", "changes", new)
redis.call("SET", "hours", new)
