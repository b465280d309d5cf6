local item = redis.call("LPOP", "orders")
local locked = false
while not locked do
  pcall(function()
    locked = redis.call("SETNX", "lock", "1") == 1
    if not locked then return end
    holding = true
    local stock = tonumber(redis.call("GET", item))
    if stock > 0 then
      redis.call("SET", item, stock - 1)
      sold = 1
    end
  end)
  redis.call("DEL", "lock")
  holding = false
  sleep(10)
end
