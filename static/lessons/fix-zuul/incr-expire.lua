local n = redis.call("INCRBY", "rate", 1)
if n == 1 then
  redis.call("PEXPIRE", "rate", 20)
end
