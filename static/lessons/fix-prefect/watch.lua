redis.call("WATCH", "events")
local group = redis.call("XINFO", "GROUPS", "events")[1]
if group[6] == 0 then
  redis.call("MULTI")
  redis.call("XGROUP", "DESTROY", "events", "live")
  if redis.call("EXEC") then destroyed = true end
else
  redis.call("UNWATCH")
end
