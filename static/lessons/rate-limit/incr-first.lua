local limit = 1
local second = math.floor(now() / 1000)
local key = "hits:10.0.0.7:" .. second
local hits = redis.call("INCR", key)
redis.call("EXPIRE", key, 2)
if hits <= limit then
  allowed_at = now()
end
