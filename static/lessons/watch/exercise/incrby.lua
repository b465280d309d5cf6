local points = redis.call("GET", "points")
redis.call("INCRBY", "points", points)
doubled = 1
