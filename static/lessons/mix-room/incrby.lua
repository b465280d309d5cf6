local size = tonumber(redis.call("LPOP", "reports"))
while redis.call("INCRBY", "used", size) > 5 do
  redis.call("DECRBY", "used", size)
  sleep(30)
end
using = size
sleep(20)
using = 0
redis.call("DECRBY", "used", size)
