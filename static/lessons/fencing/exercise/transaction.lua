local release = [[
  if redis.call("GET", KEYS[1]) == ARGV[1] then
    return redis.call("DEL", KEYS[1])
  end
  return 0]]

me = uuid()
repeat
  redis.call("MULTI")
  redis.call("SET", "lock", me, "NX", "PX", 30)
  redis.call("INCR", "fence")
  local replies = redis.call("EXEC")
  if replies[1] then
    token = replies[2]
  else
    sleep(30)
  end
until token

holding = true
written = resource("storage"):write("report of " .. me, token)
refused = not written
holding = false
redis.call("EVAL", release, 1, "lock", me)
