local limit = 1
local second = math.floor(now() / 1000)
local key = "hits:10.0.0.7:" .. second
local hits = tonumber(redis.call("GET", key) or 0)
if hits < limit then
  redis.call("INCR", key)
  allowed_at = now()
  redis.call("EXPIRE", key, 2)
end
