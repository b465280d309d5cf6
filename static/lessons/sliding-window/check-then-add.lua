local limit = 2
local at = now()
if redis.call("ZCOUNT", "hits", "(" .. at - 1000, "+inf") < limit then
  redis.call("ZADD", "hits", at, uuid())
  allowed_at = at
else
  refused_at = at
end
