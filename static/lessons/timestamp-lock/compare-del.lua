local remove = [[
  if redis.call("GET", KEYS[1]) == ARGV[1] then
    return redis.call("DEL", KEYS[1])
  end
  return 0]]
while redis.call("SETNX", "lock.foo", now() + 30) == 0 do
  local deadline = redis.call("GET", "lock.foo")
  if deadline and tonumber(deadline) < now() then
    redis.call("EVAL", remove, 1, "lock.foo", deadline)
  else
    sleep(10)
  end
end
holding = true
redis.call("INCR", "foo")
holding = false
redis.call("DEL", "lock.foo")
