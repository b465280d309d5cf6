local id = uuid()
local size = tonumber(redis.call("LPOP", "reports"))
while true do
  redis.call("ZREMRANGEBYSCORE", "slots", "-inf", now() - 30)
  if redis.call("ZCARD", "slots") + size <= 5 then
    break
  end
  sleep(30)
end
for gb = 1, size do
  redis.call("ZADD", "slots", now(), id .. ":" .. gb)
end
using = size
sleep(20)
using = 0
for gb = 1, size do
  redis.call("ZREM", "slots", id .. ":" .. gb)
end
