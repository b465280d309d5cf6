local price = redis.call("GET", "price:7")
if not price then
  local token = uuid()
  redis.call("SET", "lease:7", token, "NX", "PX", 100)
  redis.call("WATCH", "lease:7")
  local mine = redis.call("GET", "lease:7") == token
  price = sql("SELECT price FROM product WHERE id = 7")[1].price
  if mine then
    redis.call("MULTI")
    redis.call("SET", "price:7", price)
    redis.call("DEL", "lease:7")
    redis.call("EXEC")
  end
end
shown = tonumber(price)
