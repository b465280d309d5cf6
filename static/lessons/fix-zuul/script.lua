local count = [[
  local n = redis.call("INCRBY", KEYS[1], ARGV[1])
  if redis.call("PTTL", KEYS[1]) == -1 then
    redis.call("PEXPIRE", KEYS[1], ARGV[2])
  end
  return n]]
redis.call("EVAL", count, 1, "rate", 1, 20)
