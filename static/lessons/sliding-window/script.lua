local enter = [[
  local time = redis.call("TIME")
  local ms = time[1] * 1000 + math.floor(time[2] / 1000)
  redis.call("ZREMRANGEBYSCORE", KEYS[1], "-inf", ms - ARGV[2])
  if redis.call("ZCARD", KEYS[1]) >= tonumber(ARGV[1]) then
    return {0, ms}
  end
  redis.call("ZADD", KEYS[1], ms, ARGV[3])
  redis.call("PEXPIRE", KEYS[1], ARGV[2])
  return {1, ms}]]
for attempt = 1, 2 do
  local reply = redis.call("EVAL", enter, 1, "hits", 2, 1000, uuid())
  if reply[1] == 1 then
    allowed_at = reply[2]
    break
  end
  refused_at = reply[2]
  if attempt == 1 then sleep(900) end
end
