local locked = redis.call("SETNX", "lock.foo", now() + 30) == 1
while not locked do
  local deadline = tonumber(redis.call("GET", "lock.foo"))
  if not deadline or deadline < now() then
    redis.call("MULTI")
    redis.call("DEL", "lock.foo")
    redis.call("SETNX", "lock.foo", now() + 30)
    locked = redis.call("EXEC")[2] == 1
  else
    sleep(10)
  end
end
holding = true
redis.call("INCR", "foo")
holding = false
redis.call("DEL", "lock.foo")
