local first = uuid():byte() % 3 == 0 and 1 or 0  -- by the user's id
local take = [[
  if tonumber(redis.call("GET", KEYS[1]) or 0) >= 100 then return 0 end
  redis.call("INCR", KEYS[1])
  return 1]]
for i = 0, 1 do
  local n = (first + i) % 2
  if connect("s" .. n):call("EVAL", take, 1, "sold:" .. n) == 1 then
    bought = "sold:" .. n
    return
  end
end
