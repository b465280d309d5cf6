local clean = [[
  local group = redis.call("XINFO", "GROUPS", KEYS[1])[1]
  if group[6] > 0 then return 0 end
  return redis.call("XGROUP", "DESTROY", KEYS[1], ARGV[1])]]
destroyed = redis.call("EVAL", clean, 1, "events", "live") == 1
