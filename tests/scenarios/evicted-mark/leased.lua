if redis.call("SET", "mark:u1", 1, "NX", "EX", 86400) then
  redis.call("INCR", "given")
end
