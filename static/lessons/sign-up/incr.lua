local num = redis.call("INCR", "num")
if num <= 2 then
  registered = true
else
  redis.call("DECR", "num")
end
