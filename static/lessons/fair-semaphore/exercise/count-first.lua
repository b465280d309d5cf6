local look = [[
  local owners, times = KEYS[1], KEYS[2]
  redis.call("ZREMRANGEBYSCORE", times, "-inf", ARGV[1] - 30)
  redis.call("ZINTERSTORE", owners, 2, owners, times, "WEIGHTS", 1, 0)
  return redis.call("ZCARD", owners)]]
local enter = [[
  local owners, times, tickets = KEYS[1], KEYS[2], KEYS[3]
  redis.call("ZADD", times, ARGV[1], ARGV[2])
  return redis.call("ZADD", owners, redis.call("INCR", tickets), ARGV[2])]]
local id = uuid()
if redis.call("EVAL", look, 2, "owners", "times", now()) < 2 then
  redis.call("EVAL", enter, 3, "owners", "times", "tickets", now(), id)
  holding = true
  sleep(20)
  holding = false
  redis.call("ZREM", "owners", id)
  redis.call("ZREM", "times", id)
end
