if redis.call("DECRBY", "ann", 6) >= 0 then
  redis.call("INCRBY", "bob", 6)
else
  redis.call("INCRBY", "ann", 6)
end
