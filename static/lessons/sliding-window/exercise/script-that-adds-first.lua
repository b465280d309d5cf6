local enter = [[
  redis.call("ZREMRANGEBYSCORE", KEYS[1], "-inf", ARGV[1] - 1000)
  redis.call("ZADD", KEYS[1], ARGV[1], ARGV[2])
  return redis.call("ZCARD", KEYS[1])]]
local limit = 2
for attempt = 1, 2 do
  local at = now()
  if redis.call("EVAL", enter, 1, "hits", at, uuid()) <= limit then
    allowed_at = at
    break
  end
  refused_at = at
  if attempt == 1 then sleep(900) end
end
