local take = [[
  if tonumber(redis.call("GET", KEYS[1])) < 1 then return 0 end
  redis.call("DECR", KEYS[1])
  return 1]]
for n = 0, 1 do
  local key = "{stock}:" .. n
  if redis.call("EVAL", take, 1, key) == 1 then
    bought = key
    return
  end
end
refused = true
