local id = uuid()
redis.call("ZREMRANGEBYSCORE", "times", "-inf", now() - 30)
redis.call("ZINTERSTORE", "owners", 2, "owners", "times", "WEIGHTS", 1, 0)
local ticket = redis.call("INCR", "tickets")
redis.call("ZADD", "owners", ticket, id)
redis.call("ZADD", "times", now(), id)
local rank = redis.call("ZRANK", "owners", id)
if not rank then
  swept = true
elseif rank < 2 then
  holding = true
  sleep(20)
  holding = false
end
redis.call("ZREM", "owners", id)
redis.call("ZREM", "times", id)
