local item = redis.call("LPOP", "orders")
while redis.call("SETNX", "lock", "1") == 0 do
  sleep(10)
end
holding = true
local ok, problem = pcall(function()
  local stock = tonumber(redis.call("GET", item))
  if stock > 0 then
    redis.call("SET", item, stock - 1)
    sold = 1
  end
end)
redis.call("DEL", "lock")
holding = false
if not ok then error(problem, 0) end
