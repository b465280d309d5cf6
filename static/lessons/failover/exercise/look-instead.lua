local token = uuid()
if redis.call("SET", "lock", token, "NX", "PX", 1000) then
  if redis.call("GET", "lock") == token then
    holding = true
    redis.call("INCR", "jobs")
    holding = false
  end
end
