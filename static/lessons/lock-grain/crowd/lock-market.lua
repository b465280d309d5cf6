local token = uuid()
local seed = 0
for n = 1, #token do seed = (seed * 31 + token:byte(n)) % 65521 end
math.randomseed(seed)
local item = "item:" .. math.random(8)
while not redis.call("SET", "lock:market", token, "NX", "PX", 1000) do
  again = (again or 0) + 1
  sleep(math.random(5, 15))
end
local price = redis.call("ZSCORE", "market", item)
redis.call("HINCRBY", "seller", "funds", price)
redis.call("HINCRBY", "sales", item, 1)
paid = tonumber(price)
local unlock = [[
  if redis.call("GET", KEYS[1]) == ARGV[1] then
    redis.call("DEL", KEYS[1])
  end]]
redis.call("EVAL", unlock, 1, "lock:market", token)
