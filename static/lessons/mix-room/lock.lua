local size = tonumber(redis.call("LPOP", "reports"))
while not using do
  if redis.call("SET", "lock", 1, "NX", "PX", 30) then
    if tonumber(redis.call("GET", "used") or 0) + size <= 5 then
      redis.call("INCRBY", "used", size)
      using = size
    end
    redis.call("DEL", "lock")
  end
  sleep(20)
end
using = 0
redis.call("DECRBY", "used", size)
