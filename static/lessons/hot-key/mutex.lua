shown = redis.call("GET", "price:7")
if not shown then
  while not redis.call("SET", "lock:7", 1, "NX", "PX", 30) do
    sleep(30)
  end
  shown = sql("SELECT price FROM product WHERE id = 7")[1].price
  asked = 1
  redis.call("SET", "price:7", shown, "PX", 60000)
  redis.call("DEL", "lock:7")
end
