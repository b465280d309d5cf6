local take = [[
  if tonumber(redis.call("GET", KEYS[1])) < 1 then return 0 end
  redis.call("DECR", KEYS[1])
  return 1]]
for n = 0, 1 do
  if connect("s" .. n):call("EVAL", take, 1, "stock:" .. n) == 1 then
    bought = "stock:" .. n
    return
  end
end
refused = true
