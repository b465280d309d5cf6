repeat
  redis.call("WATCH", "stock")
  local n = tonumber(redis.call("GET", "stock"))
  if n < 1 then break end
  redis.call("MULTI")
  redis.call("SET", "stock", n - 1)
  if redis.call("EXEC") then sold = true end
until sold
