local token = uuid()
local seed = 0
for n = 1, #token do seed = (seed * 31 + token:byte(n)) % 65521 end
math.randomseed(seed)
local item = "item:" .. math.random(8)
repeat
  redis.call("WATCH", "market", "sales")
  local price = redis.call("ZSCORE", "market", item)
  local sales = redis.call("HGET", "sales", item) or 0
  redis.call("MULTI")
  redis.call("HINCRBY", "seller", "funds", price)
  redis.call("HSET", "sales", item, sales + 1)
  local done = redis.call("EXEC")
  if done then
    paid = tonumber(price)
  else
    again = (again or 0) + 1
  end
until done
