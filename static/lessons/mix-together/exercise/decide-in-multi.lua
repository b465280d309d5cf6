redis.call("MULTI")
redis.call("DECRBY", "ann", 6)
redis.call("INCRBY", "bob", 6)
local done = redis.call("EXEC")
if done[1] < 0 then
  redis.call("MULTI")
  redis.call("INCRBY", "ann", 6)
  redis.call("DECRBY", "bob", 6)
  redis.call("EXEC")
end
