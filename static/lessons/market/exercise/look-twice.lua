local buyer = "user:" .. uuid():sub(1, 1)  -- user:a, user:b
local price = redis.call("ZSCORE", "market", "lamp.carol")
local funds = redis.call("HGET", buyer, "funds")
if price and tonumber(funds) >= tonumber(price) then
  redis.call("HINCRBY", buyer, "funds", -price)
  redis.call("HINCRBY", "user:carol", "funds", price)
  if redis.call("ZSCORE", "market", "lamp.carol") then
    redis.call("SADD", buyer .. ":items", "lamp")
    redis.call("ZREM", "market", "lamp.carol")
  else
    redis.call("HINCRBY", buyer, "funds", price)
    redis.call("HINCRBY", "user:carol", "funds", -price)
  end
end
