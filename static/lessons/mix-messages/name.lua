local new = redis.call("LPOP", "forms")
redis.call("SET", "hours", new)
redis.call("RPUSH", "changes", "hours")
