local locked = redis.call("SETNX", "lock.foo", now() + 30) == 1
while not locked do
  local deadline = tonumber(redis.call("GET", "lock.foo"))
  if deadline and deadline < now() then
    local old = tonumber(redis.call("GETSET", "lock.foo", now() + 30))
    locked = not old or old < now()
  end
  if not locked then
    sleep(10)
    locked = redis.call("SETNX", "lock.foo", now() + 30) == 1
  end
end
holding = true
redis.call("INCR", "foo")
holding = false
redis.call("DEL", "lock.foo")
