-- SREM answers whether the lamp was hers; only then does it go into the market.
local offer = [[
  if redis.call("SREM", KEYS[1], ARGV[1]) == 1 then
    redis.call("ZADD", KEYS[2], ARGV[2], ARGV[1] .. ".carol")
  end]]
redis.call("EVAL", offer, 2, "user:carol:items", "market", "lamp", 10)
