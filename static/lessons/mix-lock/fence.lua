local acquire = [[
  if redis.call("SET", KEYS[1], ARGV[1], "NX", "PX", 30) then
    return redis.call("INCR", KEYS[2])
  end
  return nil]]
local publish = [[
  if ARGV[1] + 0 < tonumber(redis.call("GET", KEYS[2]) or 0) then
    return 0
  end
  redis.call("SET", KEYS[1], ARGV[2])
  redis.call("SET", KEYS[2], ARGV[1])
  return 1]]
local token
repeat
  token = redis.call("EVAL", acquire, 2, "lock", "fence", uuid())
  if not token then
    sleep(30)
  end
until token
local list = redis.call("INCR", "feed")
if redis.call("EVAL", publish, 2, "prices", "seen", token, list) == 1 then
  published = list
end
