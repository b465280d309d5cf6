local limit = 1
sleep(990)
local second = math.floor(now() / 1000)
local key = "hits:10.0.0.7:" .. second
local hits = redis.call("INCR", key)
if hits <= limit then
  allowed_at = now()
end
