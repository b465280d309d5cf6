local function pending()
  return redis.call("XPENDING", "events", "live")[1]
end
redis.call("WATCH", "events")
if pending() == 0 and pending() == 0 then
  redis.call("MULTI")
  redis.call("XGROUP", "DESTROY", "events", "live")
  if redis.call("EXEC") then destroyed = true end
end
