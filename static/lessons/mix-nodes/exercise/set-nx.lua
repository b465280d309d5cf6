local n = 0
repeat
  n = n + 1
until redis.call("SET", "number:" .. n, 1, "NX")
number = n
