if redis.call("SET", "mark:u1", 1, "NX") then
  redis.call("INCR", "given")
end
