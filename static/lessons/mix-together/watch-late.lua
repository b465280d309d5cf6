local points = tonumber(redis.call("GET", "ann"))
if points >= 6 then
  repeat
    redis.call("WATCH", "ann")
    redis.call("MULTI")
    redis.call("DECRBY", "ann", 6)
    redis.call("INCRBY", "bob", 6)
  until redis.call("EXEC")
end
