local token = uuid()
local seed = 0
for n = 1, #token do seed = (seed * 31 + token:byte(n)) % 65521 end
math.randomseed(seed)
local item = "item:" .. math.random(8)
local buy = [[
  local price = redis.call("ZSCORE", KEYS[1], ARGV[1])
  redis.call("HINCRBY", KEYS[2], "funds", price)
  redis.call("HINCRBY", KEYS[3], ARGV[1], 1)
  return price]]
paid = tonumber(redis.call("EVAL", buy, 3, "market", "seller", "sales", item))
