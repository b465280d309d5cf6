while not redis.call("SET", "lock", "1", "NX", "EX", 20) do
  sleep(10)
end
holding = true
redis.call("INCR", "jobs")
redis.call("DEL", "lock")
holding = false
