local draw = [[
  local owners, times, tickets = KEYS[1], KEYS[2], KEYS[3]
  redis.call("ZREMRANGEBYSCORE", times, "-inf", ARGV[1] - 30)
  redis.call("ZINTERSTORE", owners, 2, owners, times, "WEIGHTS", 1, 0)
  return redis.call("INCR", tickets)]]
local enter = [[
  local owners, times = KEYS[1], KEYS[2]
  redis.call("ZADD", times, ARGV[1], ARGV[2])
  redis.call("ZADD", owners, ARGV[3], ARGV[2])
  return redis.call("ZRANK", owners, ARGV[2])]]
local id = uuid()
local ticket = redis.call("EVAL", draw, 3, "owners", "times", "tickets", now())
if redis.call("EVAL", enter, 2, "owners", "times", now(), id, ticket) < 2 then
  holding = true
  sleep(20)
  holding = false
end
redis.call("ZREM", "owners", id)
redis.call("ZREM", "times", id)
