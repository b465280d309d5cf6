local acquire = [[
  local time = redis.call("GET", KEYS[1])
  if not time or tonumber(time) < tonumber(ARGV[1]) then
    redis.call("SET", KEYS[1], ARGV[2])
    return 1
  end
  return 0]]

for attempt = 1, 2 do
  local time = now() + 30
  if redis.call("EVAL", acquire, 1, "lock", now(), time) == 1 then
    deadline, holding = time, true
    break
  end
  sleep(40)
end

if holding then
  redis.call("INCR", "jobs")
  holding = false
  if now() < deadline then
    redis.call("DEL", "lock")
  end
end
