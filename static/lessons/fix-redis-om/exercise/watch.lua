repeat
  redis.call("WATCH", "session")
  local session = redis.call("GET", "session")
  local left = redis.call("PTTL", "session")
  redis.call("MULTI")
  redis.call("SET", "session", session .. ",dark", "PX", left)
until redis.call("EXEC")
