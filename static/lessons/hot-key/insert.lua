sql("INSERT INTO product VALUES (9, 5)")
redis.call("SET", "price:9", 5, "PX", 60000)
