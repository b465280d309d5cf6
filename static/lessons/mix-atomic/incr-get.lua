redis.call("INCR", "used")
if redis.call("GET", "used") == "1" then
  entered = true
end
