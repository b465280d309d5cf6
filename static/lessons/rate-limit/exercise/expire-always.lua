local limit = 1
local key = "hits:10.0.0.7"
local hits = redis.call("INCR", key)
redis.call("EXPIRE", key, 1)
if hits <= limit then
  allowed_at = now()
end
