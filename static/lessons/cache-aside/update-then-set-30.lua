sql("UPDATE product SET price = ? WHERE id = 7", 30)
redis.call("SET", "price:7", 30)
