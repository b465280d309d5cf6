shown = redis.call("GET", "price:7")
if redis.call("EXISTS", "fresh:7") == 1 then return end
if redis.call("SET", "lock:7", 1, "NX", "PX", 5000) then
  local price = sql("SELECT price FROM product WHERE id = 7")[1].price
  asked = 1
  redis.call("SET", "price:7", price)
  redis.call("SET", "fresh:7", 1, "PX", 60000)
end
