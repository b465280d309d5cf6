local points = redis.call("GET", "points")
redis.call("SET", "points", points * 2)
doubled = 1
