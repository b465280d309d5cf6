while redis.call("SETNX", "lock", "1") == 0 do
  if redis.call("PTTL", "lock") == -1 then
    redis.call("PEXPIRE", "lock", 20)
  end
  sleep(10)
end
holding = true
redis.call("PEXPIRE", "lock", 20)
redis.call("INCR", "jobs")
redis.call("DEL", "lock")
holding = false
