redis.call("WATCH", "price:7")
local price = redis.call("GET", "price:7")
if not price then
  price = sql("SELECT price FROM product WHERE id = 7")[1].price
  redis.call("MULTI")
  redis.call("SET", "price:7", price)
  redis.call("EXEC")
end
shown = tonumber(price)
