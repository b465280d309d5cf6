local id = redis.call("ZRANGEBYSCORE", "due", 0, now(), "LIMIT", 0, 1)[1]
if id and redis.call("ZREM", "due", id) == 1 then
  redis.call("INCR", "free")
end
