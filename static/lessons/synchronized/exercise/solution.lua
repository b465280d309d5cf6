local left = redis.call("DECR", "stock")
if left >= 0 then
  sold = 1
else
  redis.call("INCR", "stock")
end
