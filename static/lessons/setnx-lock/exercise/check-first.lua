local item = redis.call("LPOP", "orders")
while redis.call("SETNX", "lock", "1") == 0 do
  sleep(10)
end
holding = true
local stock = tonumber(redis.call("GET", item)) or 0
if stock > 0 then
  redis.call("SET", item, stock - 1)
  sold = 1
end
redis.call("DEL", "lock")
holding = false
