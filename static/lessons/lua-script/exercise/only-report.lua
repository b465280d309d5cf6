if redis.call("SETNX", "bought", 1) == 1 then
  spent = 6
end
