me = uuid()
while not redis.call("SET", "lock", me, "NX", "PX", 20) do
  sleep(10)
end
holding = true
redis.call("INCR", "jobs")
holding = false
redis.call("WATCH", "lock")
if redis.call("GET", "lock") == me then
  redis.call("MULTI")
  redis.call("GETDEL", "lock")
  local replies = redis.call("EXEC")
  removed = replies and replies[1]
end
