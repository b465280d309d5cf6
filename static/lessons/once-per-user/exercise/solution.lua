local times = redis.call("HINCRBY", "requests", "ann", 1)
if times == 1 then
  redis.call("RPUSH", "coupons", "ann")
end
