while redis.call("SETNX", "lock.foo", now() + 30) == 0 do
  local deadline = redis.call("GET", "lock.foo")
  if deadline and tonumber(deadline) < now() then
    if redis.call("GET", "lock.foo") == deadline then
      redis.call("DEL", "lock.foo")
    end
  else
    sleep(10)
  end
end
holding = true
redis.call("INCR", "foo")
holding = false
redis.call("DEL", "lock.foo")
