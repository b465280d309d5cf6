local new = redis.call("LPOP", "forms")
redis.call("SET", "hours", new)
connect("map"):call("SET", "hours", new)
