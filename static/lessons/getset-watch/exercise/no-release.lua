local function expired(time)
  return time and tonumber(time) < now()
end

for attempt = 1, 2 do
  local time = now() + 30
  local won = redis.call("SETNX", "lock", time) == 1
  if not won then
    redis.call("WATCH", "lock")
    if expired(redis.call("GET", "lock")) then
      redis.call("MULTI")
      redis.call("GETSET", "lock", time)
      local replies = redis.call("EXEC")
      won = replies and expired(replies[1])
    else
      redis.call("UNWATCH")
    end
  end
  if won then
    wrote, holding = time, true
    break
  end
  sleep(40)
end

if holding then
  redis.call("INCR", "jobs")
  holding = false
end
