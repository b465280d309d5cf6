local n
repeat
  n = redis.call("GET", "balance")
until redis.call("GET", "balance") == n
redis.call("SET", "balance", n + 10)
