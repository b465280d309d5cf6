local price = redis.call("GET", "price:7")
if not price then
  price = sql("SELECT price FROM product WHERE id = 7")[1].price
  local again = sql("SELECT price FROM product WHERE id = 7")[1].price
  if again == price then
    redis.call("SET", "price:7", price)
  end
end
shown = tonumber(price)
