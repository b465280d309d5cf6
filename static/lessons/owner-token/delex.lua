me = uuid()
while not redis.call("SET", "lock", me, "NX", "PX", 20) do
  sleep(10)
end
holding = true
redis.call("INCR", "jobs")
holding = false
if redis.call("DELEX", "lock", "IFEQ", me) == 1 then
  removed = me
end
