redis.call("HSET", "session", "seen", 1)
if redis.call("HEXISTS", "session", "user") == 0 then
  redis.call("DEL", "session")
end
