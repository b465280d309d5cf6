shown = redis.call("GET", "price:7")
if not shown then
  shown = sql("SELECT price FROM product WHERE id = 7")[1].price
  asked = 1
  redis.call("SET", "price:7", shown, "PX", 60000)
end
