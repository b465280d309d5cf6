local take_over = [[
  if redis.call("GET", KEYS[1]) == ARGV[1] then
    redis.call("SET", KEYS[1], ARGV[2])
    return 1
  end
  return 0]]

for attempt = 1, 2 do
  local time = now() + 30
  local won = redis.call("SETNX", "lock", time) == 1
  local seen = not won and redis.call("GET", "lock")
  if seen and tonumber(seen) < now() then
    won = redis.call("EVAL", take_over, 1, "lock", seen, time) == 1
  end
  if won then
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
