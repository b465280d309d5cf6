local time = now() + 30
if redis.call("SETNX", "lock", time) == 1 then
  wrote, holding = time, true
end
redis.call("INCR", "jobs")
if holding then
  holding = false
  redis.call("DEL", "lock")
end
