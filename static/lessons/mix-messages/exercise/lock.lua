while not redis.call("SET", "lock", 1, "NX", "PX", 1000) do sleep(100) end
local new = redis.call("LPOP", "forms")
redis.call("SET", "hours", new)
redis.call("RPUSH", "changes", new)
redis.call("DEL", "lock")
