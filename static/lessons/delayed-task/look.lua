local id = redis.call("ZRANGEBYSCORE", "due", 0, now(), "LIMIT", 0, 1)[1]
if id then
  redis.call("INCR", "free")
  redis.call("ZREM", "due", id)
end
