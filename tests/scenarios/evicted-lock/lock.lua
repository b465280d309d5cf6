if redis.call("SET", "lock", uuid(), "NX", "PX", 1000) then
  holding = true
  redis.call("INCR", "jobs")
  holding = false
end
