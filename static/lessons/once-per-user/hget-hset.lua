local before = redis.call("HGET", "requests", "ann")
if not before then
  redis.call("HSET", "requests", "ann", 1)
  redis.call("RPUSH", "coupons", "ann")
end
