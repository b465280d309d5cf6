repeat
  redis.call("WATCH", "stock")
  local stock = tonumber(redis.call("GET", "stock"))
  if stock == 0 then
    break
  end
  redis.call("MULTI")
  redis.call("DECR", "stock")
  if redis.call("EXEC") then
    sold = 1
  end
until sold
