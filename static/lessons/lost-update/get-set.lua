local n = redis.call("GET", "balance")
n = n + 10
redis.call("SET", "balance", n)
