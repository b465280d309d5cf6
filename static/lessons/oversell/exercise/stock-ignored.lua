if redis.call("SETNX", "buyer", "taken") == 1 then
  sold = 1
end
