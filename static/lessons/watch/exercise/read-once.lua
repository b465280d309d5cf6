redis.call("WATCH", "points")
local points = redis.call("GET", "points")
repeat
  redis.call("MULTI")
  redis.call("SET", "points", points * 2)
  local done = redis.call("EXEC")
until done
doubled = 1
