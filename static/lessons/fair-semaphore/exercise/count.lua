local enter = [[
  local owners, times = KEYS[1], KEYS[2]
  redis.call("ZREMRANGEBYSCORE", times, "-inf", ARGV[1] - 30)
  redis.call("ZINTERSTORE", owners, 2, owners, times, "WEIGHTS", 1, 0)
  redis.call("ZADD", times, ARGV[1], ARGV[2])
  redis.call("ZADD", owners, ARGV[1], ARGV[2])
  return redis.call("ZCARD", owners)]]
local id = uuid()
if redis.call("EVAL", enter, 2, "owners", "times", now(), id) <= 2 then
  holding = true
  sleep(20)
  holding = false
end
redis.call("ZREM", "owners", id)
redis.call("ZREM", "times", id)
