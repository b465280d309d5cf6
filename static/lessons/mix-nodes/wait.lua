local n = redis.call("INCR", "last")
if redis.call("WAIT", 1, 100) >= 1 then
  number = n
end
