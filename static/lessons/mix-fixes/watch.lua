redis.call("SREM", "members", "ann")
redis.call("WATCH", "members")
if redis.call("SCARD", "members") == 0 then
  redis.call("MULTI")
  redis.call("DEL", "notes")
  redis.call("EXEC")
else
  redis.call("UNWATCH")
end
