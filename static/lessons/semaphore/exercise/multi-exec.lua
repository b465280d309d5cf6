local id = uuid()
redis.call("MULTI")
redis.call("ZREMRANGEBYSCORE", "slots", "-inf", now() - 30)
redis.call("ZADD", "slots", now(), id)
redis.call("ZRANK", "slots", id)
if redis.call("EXEC")[3] < 2 then
  holding = true
  sleep(20)
  holding = false
end
redis.call("ZREM", "slots", id)
