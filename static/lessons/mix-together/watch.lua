repeat
  redis.call("WATCH", "ann")
  local points = tonumber(redis.call("GET", "ann"))
  if points < 6 then
    break
  end
  redis.call("MULTI")
  redis.call("DECRBY", "ann", 6)
  redis.call("INCRBY", "bob", 6)
until redis.call("EXEC")
