local first = redis.call("HSETNX", "requests", "ann", 1)
if first == 1 then
  redis.call("RPUSH", "coupons", "ann")
end
