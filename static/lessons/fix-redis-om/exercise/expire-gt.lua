local session = redis.call("GET", "session")
local left = redis.call("PTTL", "session")
redis.call("SET", "session", session .. ",dark")
redis.call("PEXPIRE", "session", left, "GT")
