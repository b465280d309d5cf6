local first = redis.call("SET", "rate", 1, "NX", "PX", 20)
if not first then
  redis.call("INCRBY", "rate", 1)
end
