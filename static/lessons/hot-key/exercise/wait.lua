while redis.call("EXISTS", "fresh:7") == 0 do
  if redis.call("SET", "lock:7", 1, "NX", "PX", 30) then
    if redis.call("EXISTS", "fresh:7") == 0 then
      local price = sql("SELECT price FROM product WHERE id = 7")[1].price
      asked = 1
      redis.call("SET", "price:7", price)
      redis.call("SET", "fresh:7", 1, "PX", 60000)
    end
    redis.call("DEL", "lock:7")
  else
    sleep(30)
  end
end
shown = redis.call("GET", "price:7")
