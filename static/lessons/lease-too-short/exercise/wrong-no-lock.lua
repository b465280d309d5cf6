sleep(25)
if redis.call("SETNX", "buyer", 1) == 1 then
  sold = 1
end
