local stock = tonumber(redis.call("GET", "stock"))
if stock > 0 then
  redis.call("DECR", "stock")
  sold = 1
end
