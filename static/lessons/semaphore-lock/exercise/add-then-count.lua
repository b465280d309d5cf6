local id = uuid()
redis.call("ZREMRANGEBYSCORE", "slots", "-inf", now() - 1000)
redis.call("ZADD", "slots", now(), id)
if redis.call("ZCARD", "slots") <= 2 then
  holding = true
  sleep(20)
  holding = false
end
redis.call("ZREM", "slots", id)
