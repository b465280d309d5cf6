local id = uuid()
local time = redis.call("TIME")
local ms = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call("ZREMRANGEBYSCORE", "slots", "-inf", ms - 30)
redis.call("ZADD", "slots", ms, id)
if redis.call("ZRANK", "slots", id) < 2 then
  holding = true
  sleep(20)
  holding = false
end
redis.call("ZREM", "slots", id)
