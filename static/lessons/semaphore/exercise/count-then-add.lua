local id = uuid()
redis.call("ZREMRANGEBYSCORE", "slots", "-inf", now() - 30)
if redis.call("ZCARD", "slots") < 2 then
  redis.call("ZADD", "slots", now(), id)
  holding = true
  sleep(20)
  holding = false
  redis.call("ZREM", "slots", id)
end
