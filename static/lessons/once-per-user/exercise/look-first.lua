if redis.call("HEXISTS", "requests", "ann") == 0 then
  redis.call("HINCRBY", "requests", "ann", 1)
  redis.call("RPUSH", "coupons", "ann")
end
