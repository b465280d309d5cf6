local buyer = "user:" .. uuid():sub(1, 1)  -- user:a, user:b
local token = uuid()
local item = redis.call("HGET", buyer, "wants")
while not redis.call("SET", "lock:" .. item, token, "NX", "PX", 300) do
  again = (again or 0) + 1
  sleep(10)
end
local price = redis.call("ZSCORE", "market", item)
if price then
  local earned = redis.call("HGET", "user:carol", "funds")
  redis.call("HSET", "user:carol", "funds", earned + price)
  paid = tonumber(price)
  redis.call("HINCRBY", buyer, "funds", -price)
  redis.call("SADD", buyer .. ":items", item)
  redis.call("ZREM", "market", item)
end
local unlock = [[
  if redis.call("GET", KEYS[1]) == ARGV[1] then
    redis.call("DEL", KEYS[1])
  end]]
redis.call("EVAL", unlock, 1, "lock:" .. item, token)
