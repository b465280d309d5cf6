me = uuid()
while not redis.call("SET", "lock", me, "NX", "PX", 20) do
  sleep(10)
end
holding = true
redis.call("INCR", "jobs")
holding = false
if redis.call("GET", "lock") == me then
  redis.call("MULTI")
  redis.call("GETDEL", "lock")
  removed = redis.call("EXEC")[1]
end
