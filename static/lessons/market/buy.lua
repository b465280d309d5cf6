-- A safe purchase, in one script; the offers are what matters here.
local buyer = "user:" .. uuid():sub(1, 1)  -- user:a
local buy = [[
  local price = redis.call("ZSCORE", KEYS[1], "lamp.carol")
  if not price or tonumber(redis.call("HGET", KEYS[2], "funds")) < tonumber(price) then
    return 0
  end
  redis.call("HINCRBY", KEYS[2], "funds", -price)
  redis.call("HINCRBY", KEYS[3], "funds", price)
  redis.call("SADD", KEYS[4], "lamp")
  return redis.call("ZREM", KEYS[1], "lamp.carol")]]
redis.call("EVAL", buy, 4, "market", buyer, "user:carol", buyer .. ":items")
