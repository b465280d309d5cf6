local me = uuid()
if redis.call("SET", "lock", me, "NX", "PX", 1000) then
  local n = tonumber(redis.call("GET", "last") or 0) + 1
  redis.call("SET", "last", n)
  number = n
  redis.call("DEL", "lock")
end
