local id = uuid()
sleep(1)
repeat
  redis.call("ZREMRANGEBYSCORE", "slots", "-inf", now() - 30)
  redis.call("ZADD", "slots", now(), id)
  local entered = redis.call("ZRANK", "slots", id) < 2
  if entered then
    holding = true
    sleep(20)
    holding = false
  end
  redis.call("ZREM", "slots", id)
  if not entered then
    sleep(30)
  end
until entered
