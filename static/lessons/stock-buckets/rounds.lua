local ask = [[
  if tonumber(redis.call("GET", KEYS[1])) > 0 then
    redis.call("DECR", KEYS[1])
    return "taken"
  end
  if redis.call("SCARD", KEYS[2]) > 0 then return "moving" end
  return redis.call("SCARD", KEYS[3])]]
local arrived = {}
for call = 0, 3 do
  local n = (first + call) % 2
  local got = connect("s" .. n):call("EVAL", ask, 3, "stock:" .. n, "out:" .. n, "in:" .. n)
  if got == "taken" then
    bought = "stock:" .. n
    return
  elseif got == "moving" or call > 1 and got ~= arrived[n] then
    later = true
    return
  end
  arrived[n] = got
end
refused = true
