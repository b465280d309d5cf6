local enter = [[
  local ms = tonumber(ARGV[4])
  redis.call("ZREMRANGEBYSCORE", KEYS[1], "-inf", ms - ARGV[2])
  if redis.call("ZCARD", KEYS[1]) >= tonumber(ARGV[1]) then
    return 0
  end
  redis.call("ZADD", KEYS[1], ms, ARGV[3])
  redis.call("PEXPIRE", KEYS[1], ARGV[2])
  return 1]]
local at = now()
if redis.call("EVAL", enter, 1, "hits", 2, 1000, uuid(), at) == 1 then
  allowed_at = at
end
