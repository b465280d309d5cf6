local function take()
  redis.call("MULTI")
  redis.call("SETNX", "lock", "1")
  redis.call("PEXPIRE", "lock", 20, "NX")
  return redis.call("EXEC")[1] == 1
end
while not take() do
  sleep(10)
end
holding = true
redis.call("INCR", "jobs")
redis.call("DEL", "lock")
holding = false
