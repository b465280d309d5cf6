local buyer = "user:" .. uuid():sub(1, 1)  -- user:a, user:b
local token = uuid()
local unlock = [[
  if redis.call("GET", KEYS[1]) == ARGV[1] then
    redis.call("DEL", KEYS[1])
  end]]
local item = redis.call("HGET", buyer, "wants")
while not redis.call("SET", "lock:" .. item, token, "NX", "PX", 30) do
  again = (again or 0) + 1
  sleep(10)
end
local price = redis.call("ZSCORE", "market", item)
if price then
  local earned = redis.call("HGET", "user:carol", "funds")
  while not redis.call("SET", "lock:user:carol", token, "NX", "PX", 30) do
    sleep(10)
  end
  redis.call("HSET", "user:carol", "funds", earned + price)
  paid = tonumber(price)
  redis.call("EVAL", unlock, 1, "lock:user:carol", token)
  redis.call("HINCRBY", buyer, "funds", -price)
  redis.call("SADD", buyer .. ":items", item)
  redis.call("ZREM", "market", item)
end
redis.call("EVAL", unlock, 1, "lock:" .. item, token)
