shown = redis.call("GET", "price:7")
