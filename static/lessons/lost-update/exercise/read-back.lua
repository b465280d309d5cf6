repeat
  local n = redis.call("GET", "balance") + 10
  redis.call("SET", "balance", n)
until tonumber(redis.call("GET", "balance")) == n
