local points = tonumber(redis.call("GET", "ann"))
if points >= 6 then
  redis.call("MULTI")
  redis.call("DECRBY", "ann", 6)
  redis.call("INCRBY", "bob", 6)
  redis.call("EXEC")
end
