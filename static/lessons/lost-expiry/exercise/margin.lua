if redis.call("PTTL", "session") > 10 then
  redis.call("HSET", "session", "seen", 1)
end
