local take = [[
  for _, key in ipairs(KEYS) do
    if tonumber(redis.call("GET", key) or 0) > 0 then
      redis.call("DECR", key)
      return key
    end
  end]]
local keys = { "stock:" .. first, "stock:" .. (1 - first) }
bought = connect("s" .. first):call("EVAL", take, 2, keys[1], keys[2])
refused = not bought
