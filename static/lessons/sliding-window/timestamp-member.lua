local limit = 2
local at = now()
redis.call("ZADD", "hits", at, at)
if redis.call("ZCOUNT", "hits", "(" .. at - 1000, "+inf") <= limit then
  allowed_at = at
else
  refused_at = at
end
