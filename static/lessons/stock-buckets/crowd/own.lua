local first = uuid():byte() % 3 == 0 and 1 or 0  -- by the user's id
local take = [[
  if tonumber(redis.call("GET", KEYS[1]) or 0) >= 100 then return 0 end
  redis.call("INCR", KEYS[1])
  return 1]]
local key = "sold:" .. first
if connect("s" .. first):call("EVAL", take, 1, key) == 1 then
  bought = key
end
