repeat
  redis.call("WATCH", "balance")
  local n = redis.call("GET", "balance")
  redis.call("MULTI")
  redis.call("SET", "balance", n + 10)
  local done = redis.call("EXEC")
until done
