while redis.call("SETNX", "lock.foo", now() + 30) == 0 do
  local deadline = tonumber(redis.call("GET", "lock.foo"))
  if deadline and deadline < now() then
    redis.call("DEL", "lock.foo")
  else
    sleep(10)
  end
end
holding = true
redis.call("INCR", "foo")
holding = false
redis.call("DEL", "lock.foo")
