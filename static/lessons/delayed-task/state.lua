local id = redis.call("ZRANGEBYSCORE", "due", 0, now(), "LIMIT", 0, 1)[1]
if id then
  if redis.call("GET", "order:" .. id) == "open" then
    redis.call("SET", "order:" .. id, "cancelled")
    redis.call("INCR", "free")
  end
  redis.call("ZREM", "due", id)
end
