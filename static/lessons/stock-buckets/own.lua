local take = [[
  if tonumber(redis.call("GET", KEYS[1])) < 1 then return 0 end
  redis.call("DECR", KEYS[1])
  return 1]]
local key = "stock:" .. first
if connect("s" .. first):call("EVAL", take, 1, key) == 1 then
  bought = key
else
  refused = true
end
