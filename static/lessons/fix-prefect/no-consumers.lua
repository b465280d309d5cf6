if #redis.call("XINFO", "CONSUMERS", "events", "live") == 0 then
  redis.call("XGROUP", "DESTROY", "events", "live")
  destroyed = true
end
