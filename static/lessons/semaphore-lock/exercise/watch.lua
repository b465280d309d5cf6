local id = uuid()
repeat
  redis.call("WATCH", "slots")
  redis.call("ZREMRANGEBYSCORE", "slots", "-inf", now() - 1000)
  if redis.call("ZCARD", "slots") == 2 then
    redis.call("UNWATCH")
    return
  end
  redis.call("MULTI")
  redis.call("ZADD", "slots", now(), id)
  local done = redis.call("EXEC")
until done
holding = true
sleep(20)
holding = false
redis.call("ZREM", "slots", id)
