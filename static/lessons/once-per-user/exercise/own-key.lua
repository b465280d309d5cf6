local first = redis.call("SET", "request:ann", 1, "NX")
if first then
  redis.call("RPUSH", "coupons", "ann")
end
