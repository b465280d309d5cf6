local token = uuid()
if redis.call("SET", "lock", token, "NX", "PX", 1000) then
  redis.call("WAIT", 1, 0)
  holding = true
  redis.call("INCR", "jobs")
  holding = false
end
