me = uuid()
while not redis.call("SET", "lock", me, "NX", "PX", 20) do
  sleep(10)
end
holding = true
redis.call("INCR", "jobs")
holding = false
removed = me
