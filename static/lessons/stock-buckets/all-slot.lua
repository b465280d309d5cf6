local take = [[
  for _, key in ipairs(KEYS) do
    if tonumber(redis.call("GET", key)) > 0 then
      redis.call("DECR", key)
      return key
    end
  end]]
bought = redis.call("EVAL", take, 2, "{stock}:0", "{stock}:1")
refused = not bought
