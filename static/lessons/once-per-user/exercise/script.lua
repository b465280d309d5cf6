local once = [[
  if redis.call("HSETNX", KEYS[1], ARGV[1], 1) == 1 then
    redis.call("RPUSH", KEYS[2], ARGV[1])
  end]]
redis.call("EVAL", once, 2, "requests", "coupons", "ann")
