local limit = 1
local key = "hits:10.0.0.7"
local hits = tonumber(redis.call("GET", key) or 0) + 1
redis.call("SET", key, hits, "EX", 1)
if hits <= limit then
  allowed_at = now()
end
