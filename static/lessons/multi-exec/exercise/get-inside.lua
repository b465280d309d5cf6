redis.call("MULTI")
local alice = tonumber(redis.call("GET", "alice"))
if alice >= 10 then
  redis.call("DECRBY", "alice", 10)
  redis.call("INCRBY", "bob", 10)
  redis.call("EXEC")
  paid = 10
end
