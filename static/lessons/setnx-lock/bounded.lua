local item = redis.call("LPOP", "orders")
local patience = now() + 20
while redis.call("SETNX", "lock", "1") == 0 do
  if now() >= patience then
    redis.call("RPUSH", "orders", item)
    answer = "busy"
    return
  end
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
