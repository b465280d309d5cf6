local unlock = [[
  if redis.call("GET", KEYS[1]) == ARGV[1] then
    return redis.call("DEL", KEYS[1])
  end
  return 0]]
local id = uuid()
while not redis.call("SET", "slots:lock", id, "NX", "PX", 50) do
  sleep(10)
end
redis.call("ZREMRANGEBYSCORE", "slots", "-inf", now() - 1000)
if redis.call("ZCARD", "slots") < 2 then
  redis.call("ZADD", "slots", now(), id)
  holding = true
end
redis.call("EVAL", unlock, 1, "slots:lock", id)
if holding then
  sleep(20)
  holding = false
  redis.call("ZREM", "slots", id)
end
