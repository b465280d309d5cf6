local limit = 1
local key = "hits:10.0.0.7"
redis.call("MULTI")
redis.call("SET", key, 0, "EX", 1, "NX")
redis.call("INCR", key)
local replies = redis.call("EXEC")
if replies[2] <= limit then
  allowed_at = now()
end
