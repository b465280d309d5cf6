while redis.call("SETNX", "lock", "1") == 0 do
  sleep(10)
end
holding = true
pcall(function()
  redis.call("PEXPIRE", "lock", 20)
  redis.call("INCR", "jobs")
end)
redis.call("DEL", "lock")
holding = false
