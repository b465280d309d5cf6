if redis.call("PTTL", "rate") > 0 then
  redis.call("INCRBY", "rate", 1)
else
  redis.call("SET", "rate", 1, "PX", 20)
end
