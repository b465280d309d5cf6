local first = redis.call("SET", "rate", 1, "NX", "PX", 20)
if not first then
  redis.call("INCRBY", "rate", 1)
  if redis.call("PTTL", "rate") == -1 then
    redis.call("PEXPIRE", "rate", 20)
  end
end
