redis.call("SREM", "members", "ann")
if redis.call("SCARD", "members") == 0 then
  redis.call("WATCH", "members")
  redis.call("MULTI")
  redis.call("DEL", "notes")
  redis.call("EXEC")
end
