local token = uuid()
if redis.call("SET", "lock", token, "NX", "PX", 1000) then
  local owner = redis.call("GET", "lock")
  local copies = redis.call("WAIT", 1, 100)
  if owner == token and copies >= 1 then
    holding = true
    redis.call("INCR", "jobs")
    holding = false
  end
end
