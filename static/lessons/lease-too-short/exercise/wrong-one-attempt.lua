me = uuid()
if redis.call("SET", "lock", me, "NX", "PX", 20) then
  holding = true
  local stock = tonumber(redis.call("GET", "stock"))
  if stock > 0 then
    sleep(25)
    redis.call("SET", "stock", stock - 1)
    sold = 1
  end
  holding = false
  removed = redis.call("GETDEL", "lock")
end
