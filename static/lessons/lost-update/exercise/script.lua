local deposit = [[
  local n = redis.call("GET", KEYS[1])
  redis.call("SET", KEYS[1], n + ARGV[1])]]
redis.call("EVAL", deposit, 1, "balance", 10)
