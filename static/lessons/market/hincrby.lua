local buyer = "user:" .. uuid():sub(1, 1)  -- user:a, user:b
local price = redis.call("ZSCORE", "market", "lamp.carol")
if price then
  redis.call("HINCRBY", buyer, "funds", -price)
  redis.call("HINCRBY", "user:carol", "funds", price)
  redis.call("ZREM", "market", "lamp.carol")
  redis.call("SADD", buyer .. ":items", "lamp")
end
