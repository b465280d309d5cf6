local buyer = "user:" .. uuid():sub(1, 1)  -- user:a, user:b
local token = uuid()
while not redis.call("SET", "lock:market", token, "NX", "PX", 30) do
  sleep(10)
end
local price = redis.call("ZSCORE", "market", "lamp.carol")
local funds = redis.call("HGET", buyer, "funds")
if price and tonumber(funds) >= tonumber(price) then
  local earned = redis.call("HGET", "user:carol", "funds")
  redis.call("HSET", buyer, "funds", funds - price)
  redis.call("HSET", "user:carol", "funds", earned + price)
  redis.call("SADD", buyer .. ":items", "lamp")
  redis.call("ZREM", "market", "lamp.carol")
end
local unlock = [[
  if redis.call("GET", KEYS[1]) == ARGV[1] then
    redis.call("DEL", KEYS[1])
  end]]
redis.call("EVAL", unlock, 1, "lock:market", token)
