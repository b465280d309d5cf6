local take = [[
  if tonumber(redis.call("GET", KEYS[1])) < 1 then return 0 end
  redis.call("DECR", KEYS[1])
  return 1]]
if connect("s1"):call("EVAL", take, 1, "stock:1") == 1 then
  connect("s0"):call("INCR", "stock:0")
end
