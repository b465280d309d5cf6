redis.call("HINCRBY", "requests", "ann", 1)
local times = tonumber(redis.call("HGET", "requests", "ann"))
if times == 1 then
  redis.call("RPUSH", "coupons", "ann")
end
