local acquire = [[
  if redis.call("EXISTS", KEYS[1]) == 0
    or redis.call("HEXISTS", KEYS[1], ARGV[1]) == 1 then
    redis.call("HINCRBY", KEYS[1], ARGV[1], 1)
    redis.call("PEXPIRE", KEYS[1], 30)
    return nil
  end
  return redis.call("PTTL", KEYS[1])]]
local release = [[
  if redis.call("HEXISTS", KEYS[1], ARGV[1]) == 0 then
    return nil
  end
  if redis.call("HINCRBY", KEYS[1], ARGV[1], -1) > 0 then
    return 0
  end
  redis.call("DEL", KEYS[1])
  redis.call("PUBLISH", "lock:free", "")
  return 1]]

local free = connect("redis")
free:call("SUBSCRIBE", "lock:free")
while not holding do
  local wait_ms = redis.call("EVAL", acquire, 1, "lock", "jvm2:3")
  if wait_ms then
    free:receive(wait_ms)
  else
    holding, served = true, true
  end
end
redis.call("INCR", "jobs")
holding = false
redis.call("EVAL", release, 1, "lock", "jvm2:3")
