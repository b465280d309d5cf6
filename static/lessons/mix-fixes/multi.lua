redis.call("MULTI")
redis.call("SREM", "members", "ann")
redis.call("SCARD", "members")
local left = redis.call("EXEC")[2]
if left == 0 then
  redis.call("DEL", "notes")
end
