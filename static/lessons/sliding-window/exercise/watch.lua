local limit = 2
for attempt = 1, 2 do
  local at, added
  repeat
    at = now()
    redis.call("WATCH", "hits")
    if redis.call("ZCOUNT", "hits", "(" .. at - 1000, "+inf") >= limit then
      redis.call("UNWATCH")
      break
    end
    redis.call("MULTI")
    redis.call("ZADD", "hits", at, uuid())
    added = redis.call("EXEC")
  until added
  if added then
    allowed_at = at
    break
  end
  refused_at = at
  if attempt == 1 then sleep(900) end
end
