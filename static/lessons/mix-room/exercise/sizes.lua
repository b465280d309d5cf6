local enter = [[
  local time = redis.call("TIME")
  local ms = time[1] * 1000 + math.floor(time[2] / 1000)
  local used = 0
  for id, entry in pairs(redis.call("HGETALL", KEYS[1])) do
    local at, size = entry:match("^(%d+):(%d+)$")
    if at and ms - at < 30 then
      used = used + size
    end
  end
  if used + ARGV[2] > 5 then
    return 0
  end
  redis.call("HSET", KEYS[1], ARGV[1], ms .. ":" .. ARGV[2])
  return 1]]
local id = uuid()
local size = tonumber(redis.call("LPOP", "reports"))
while redis.call("EVAL", enter, 1, "entries", id, size) == 0 do
  sleep(30)
end
using = size
sleep(20)
using = 0
redis.call("HDEL", "entries", id)
