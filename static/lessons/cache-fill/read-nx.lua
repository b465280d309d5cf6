local price = redis.call("GET", "price:7")
if not price then
  price = sql("SELECT price FROM product WHERE id = 7")[1].price
  redis.call("SET", "price:7", price, "NX")
end
shown = tonumber(price)
