local limit = 2
for attempt = 1, 2 do
  local at = now()
  redis.call("MULTI")
  redis.call("ZADD", "hits", at, uuid())
  redis.call("ZCOUNT", "hits", "(" .. at - 1000, "+inf")
  local hits = redis.call("EXEC")[2]
  if hits <= limit then
    allowed_at = at
    break
  end
  refused_at = at
  if attempt == 1 then sleep(900) end
end
