shown = redis.call("GET", "kept:7")
if redis.call("EXISTS", "fresh:7") == 1 then return end
if redis.call("SET", "lock:7", 1, "NX", "PX", 30) then
  local price = sql("SELECT price FROM product WHERE id = 7")[1].price
  asked = 1
  redis.call("SET", "kept:7", price)
  redis.call("SET", "fresh:7", 1, "PX", 60000)
  redis.call("DEL", "lock:7")
end
