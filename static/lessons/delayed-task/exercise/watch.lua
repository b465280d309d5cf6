local id = redis.call("ZRANGEBYSCORE", "due", 0, now(), "LIMIT", 0, 1)[1]
while id do
  redis.call("WATCH", "order:" .. id)
  local open = redis.call("GET", "order:" .. id) == "open"
  redis.call("MULTI")
  if open then
    redis.call("SET", "order:" .. id, "cancelled")
    redis.call("INCR", "free")
  end
  redis.call("ZREM", "due", id)
  if redis.call("EXEC") then break end
end
