while not redis.call("SET", "lock", 1, "NX", "PX", 10000) do sleep(100) end
redis.call("SREM", "members", "ann")
if redis.call("SCARD", "members") == 0 then
  redis.call("DEL", "notes")
end
redis.call("DEL", "lock")
