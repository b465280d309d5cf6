local size = tonumber(redis.call("LPOP", "reports"))
while tonumber(redis.call("GET", "used") or 0) + size > 5 do
  sleep(30)
end
redis.call("INCRBY", "used", size)
using = size
sleep(20)
using = 0
redis.call("DECRBY", "used", size)
