local take = [[
  if tonumber(redis.call("GET", KEYS[1])) < 1 then return 0 end
  redis.call("DECR", KEYS[1])
  return 1]]
local other = 1 - first
local mine = tonumber(connect("s" .. first):call("GET", "stock:" .. first))
local theirs = tonumber(connect("s" .. other):call("GET", "stock:" .. other))
local n = mine >= theirs and first or other
if connect("s" .. n):call("EVAL", take, 1, "stock:" .. n) == 1 then
  bought = "stock:" .. n
else
  refused = true
end
