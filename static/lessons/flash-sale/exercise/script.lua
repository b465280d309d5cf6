local enter = [[
  local n = tonumber(redis.call("GET", KEYS[1]) or 0)
  if n < 2 then
    return redis.call("INCR", KEYS[1])
  end]]
local place = redis.call("EVAL", enter, 1, "visitors")
if place then
  prize = place
end
