while redis.call("EXISTS", "lock") == 1 do
  sleep(10)
end
redis.call("SET", "lock", "taken")
local stock = tonumber(redis.call("GET", "stock"))
if stock > 0 then
  redis.call("SET", "stock", stock - 1)
  sold = 1
end
redis.call("DEL", "lock")
