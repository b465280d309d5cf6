redis.call("SET", "price:7", 20)
