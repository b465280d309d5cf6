redis.call("SREM", "members", "ann")
if redis.call("SCARD", "members") == 0 then
  redis.call("DEL", "notes")
end
