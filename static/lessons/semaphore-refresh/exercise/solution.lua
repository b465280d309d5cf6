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
  local still_there = redis.call("ZADD", "times", "XX", "CH", now(), id) == 1
  if still_there then
    sleep(20)
    finished = true
  end
  holding = false
  redis.call("ZREM", "times", id)
end
