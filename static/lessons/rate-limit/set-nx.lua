local limit = 1
local key = "hits:10.0.0.7"
redis.call("SET", key, 0, "EX", 1, "NX")
local hits = redis.call("INCR", key)
if hits <= limit then
  allowed_at = now()
end
