local locked = redis.call("SETNX", "lock.foo", now() + 30) == 1
while not locked do
  local deadline = tonumber(redis.call("GET", "lock.foo"))
  if deadline and deadline < now() and redis.call("DEL", "lock.foo") == 1 then
    redis.call("SET", "lock.foo", now() + 30)
    locked = true
  else
    sleep(10)
    locked = redis.call("SETNX", "lock.foo", now() + 30) == 1
  end
end
holding = true
redis.call("INCR", "foo")
holding = false
redis.call("DEL", "lock.foo")
