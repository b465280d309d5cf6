local release = [[
  if redis.call("GET", KEYS[1]) == ARGV[1] then
    return redis.call("GETDEL", KEYS[1])
  end
  return false]]
me = uuid()
while not redis.call("SET", "lock", me, "NX", "PX", 20) do
  sleep(10)
end
holding = true
redis.call("INCR", "jobs")
holding = false
removed = redis.call("EVAL", release, 1, "lock", me)
