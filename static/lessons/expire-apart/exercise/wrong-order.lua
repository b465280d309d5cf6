redis.call("PEXPIRE", "lock", 20)
while redis.call("SETNX", "lock", "1") == 0 do
  sleep(10)
end
holding = true
redis.call("INCR", "jobs")
redis.call("DEL", "lock")
holding = false
