local limit = 2
for attempt = 1, 2 do
  local at = now()
  if redis.call("ZCOUNT", "hits", "(" .. at - 1000, "+inf") < limit then
    redis.call("MULTI")
    redis.call("ZADD", "hits", at, uuid())
    redis.call("PEXPIRE", "hits", 1000)
    redis.call("EXEC")
    allowed_at = at
    break
  end
  refused_at = at
  if attempt == 1 then sleep(900) end
end
