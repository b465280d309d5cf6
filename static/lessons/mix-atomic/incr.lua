if redis.call("INCR", "used") == 1 then
  entered = true
end
