sql("UPDATE product SET price = ? WHERE id = 7", 20)
sleep(50)
redis.call("DEL", "price:7")
