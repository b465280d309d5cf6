local size = tonumber(redis.call("LPOP", "reports"))
if redis.call("INCRBY", "used", size) <= 5 then
  using = size
  sleep(20)
  using = 0
end
redis.call("DECRBY", "used", size)
