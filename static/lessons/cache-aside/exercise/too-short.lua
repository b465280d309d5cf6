redis.call("DEL", "price:7")
sql("UPDATE product SET price = ? WHERE id = 7", 20)
sleep(20)
redis.call("DEL", "price:7")
