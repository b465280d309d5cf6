while not redis.call("SET", "lock", 1, "NX", "PX", 200) do sleep(100) end
local n = tonumber(redis.call("GET", "stock"))
if n > 0 then
  redis.call("SET", "stock", n - 1)
  sold = true
end
redis.call("DEL", "lock")
