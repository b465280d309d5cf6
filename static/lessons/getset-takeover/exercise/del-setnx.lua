local function expired(time)
  return not time or tonumber(time) < now()
end

for attempt = 1, 2 do
  local time = now() + 30
  local won = redis.call("SETNX", "lock", time) == 1
  if not won and expired(redis.call("GET", "lock")) then
    redis.call("DEL", "lock")
    won = redis.call("SETNX", "lock", time) == 1
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
