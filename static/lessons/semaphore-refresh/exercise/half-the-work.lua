local enter = [[
  redis.call("ZREMRANGEBYSCORE", KEYS[1], "-inf", ARGV[1] - 30)
  if redis.call("ZCARD", KEYS[1]) < 2 then
    return redis.call("ZADD", KEYS[1], ARGV[1], ARGV[2])
  end
  return 0]]
local id = uuid()
if redis.call("EVAL", enter, 1, "times", now(), id) == 1 then
  holding = true
  sleep(20)
  finished = true
  holding = false
  redis.call("ZREM", "times", id)
end
