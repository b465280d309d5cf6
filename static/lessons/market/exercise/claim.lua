local buyer = "user:" .. uuid():sub(1, 1)  -- user:a, user:b
local price = redis.call("ZSCORE", "market", "lamp.carol")
local funds = redis.call("HGET", buyer, "funds")
if price and tonumber(funds) >= tonumber(price) then
  -- Only one ZREM can remove it: the buyer that gets 1 may buy.
  if redis.call("ZREM", "market", "lamp.carol") == 1 then
    redis.call("HINCRBY", buyer, "funds", -price)
    redis.call("HINCRBY", "user:carol", "funds", price)
    redis.call("SADD", buyer .. ":items", "lamp")
  end
end
