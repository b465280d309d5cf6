redis.call("SET", "price:7", 20)
sql("UPDATE product SET price = ? WHERE id = 7", 20)
