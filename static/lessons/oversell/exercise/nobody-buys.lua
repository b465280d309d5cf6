redis.call("INCR", "waiting")
if redis.call("GET", "waiting") == "1" then
  redis.call("DECR", "stock")
  sold = 1
end
