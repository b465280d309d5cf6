if redis.call("SET", "lock", "1", "NX", "PX", 20) then
  holding = true
  redis.call("INCR", "jobs")
  redis.call("DEL", "lock")
  holding = false
end
