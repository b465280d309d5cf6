while not redis.call("SET", "lock", 1, "NX", "PX", 200) do sleep(100) end
local n = tonumber(redis.call("GET", "stock"))
if n > 0 then
  sleep(100) -- the payment
  sold = true
  redis.call("SET", "stock", n - 1)
end
redis.call("DEL", "lock")
