while redis.call("SETNX", "lock.foo", now() + 30) == 0 do
  redis.call("WATCH", "lock.foo")
  local deadline = tonumber(redis.call("GET", "lock.foo"))
  if deadline and deadline < now() then
    redis.call("MULTI")
    redis.call("DEL", "lock.foo")
    redis.call("EXEC")
  else
    redis.call("UNWATCH")
    sleep(10)
  end
end
holding = true
redis.call("INCR", "foo")
holding = false
redis.call("DEL", "lock.foo")
