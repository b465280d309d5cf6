local before = redis.call("HGET", "requests", "ann")
if not before then
  redis.call("RPUSH", "coupons", "ann")
  redis.call("HINCRBY", "requests", "ann", 1)
end
