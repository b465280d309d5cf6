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
local renew = [[
  if redis.call("HEXISTS", KEYS[1], ARGV[1]) == 0 then
    return 0
  end
  return redis.call("PEXPIRE", KEYS[1], 30)]]

if not redis.call("EVAL", acquire, 1, "lock", "jvm1:7") then
  holding = true
  for part = 1, 4 do
    sleep(10)
    redis.call("EVAL", renew, 1, "lock", "jvm1:7")
  end
  worked = true
  holding = false
  redis.call("EVAL", release, 1, "lock", "jvm1:7")
end
