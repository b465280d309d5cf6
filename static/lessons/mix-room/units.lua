local enter = [[
  local time = redis.call("TIME")
  local ms = time[1] * 1000 + math.floor(time[2] / 1000)
  redis.call("ZREMRANGEBYSCORE", KEYS[1], "-inf", ms - 30)
  if redis.call("ZCARD", KEYS[1]) + ARGV[2] > 5 then
    return 0
  end
  for gb = 1, ARGV[2] do
    redis.call("ZADD", KEYS[1], ms, ARGV[1] .. ":" .. gb)
  end
  return 1]]
local leave = [[
  for gb = 1, ARGV[2] do
    redis.call("ZREM", KEYS[1], ARGV[1] .. ":" .. gb)
  end]]
local id = uuid()
local size = tonumber(redis.call("LPOP", "reports"))
while redis.call("EVAL", enter, 1, "slots", id, size) == 0 do
  sleep(30)
end
using = size
sleep(20)
using = 0
redis.call("EVAL", leave, 1, "slots", id, size)
