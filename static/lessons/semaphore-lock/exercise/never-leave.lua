local enter = [[
  local time = redis.call("TIME")
  local ms = time[1] * 1000 + math.floor(time[2] / 1000)
  redis.call("ZREMRANGEBYSCORE", KEYS[1], "-inf", ms - 1000)
  if redis.call("ZCARD", KEYS[1]) < 2 then
    return redis.call("ZADD", KEYS[1], ms, ARGV[1])
  end
  return 0]]
local id = uuid()
if redis.call("EVAL", enter, 1, "slots", id) == 1 then
  holding = true
  sleep(20)
  holding = false
end
