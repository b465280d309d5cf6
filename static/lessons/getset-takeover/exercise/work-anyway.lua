if redis.call("SETNX", "first", 1) == 1 then
  deadline = now() + 30
  redis.call("SET", "lock", deadline)
  holding = true
  redis.call("INCR", "jobs")
  holding = false
else
  redis.call("INCR", "jobs")
end
