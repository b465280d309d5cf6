local price = redis.call("GET", "price:7")
if not price then
  local token = uuid()
  local mine = redis.call("SET", "lease:7", token, "NX", "PX", 100)
  price = sql("SELECT price FROM product WHERE id = 7")[1].price
  if mine and redis.call("GET", "lease:7") == token then
    redis.call("SET", "price:7", price)
    redis.call("DEL", "lease:7")
  end
end
shown = tonumber(price)
