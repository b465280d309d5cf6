local group = redis.call("XINFO", "GROUPS", "events")[1]
if group[6] == 0 and group[12] == 0 then
  redis.call("XGROUP", "DESTROY", "events", "live")
  destroyed = true
end
