while not redis.call("SET", "lock", uuid(), "NX") do
  sleep(10)
end
local stock = tonumber(redis.call("GET", "stock"))
if stock > 0 then
  redis.call("SET", "stock", stock - 1)
  sold = 1
end
redis.call("DEL", "lock")
