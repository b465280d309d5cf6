local take = [[
  for _, key in ipairs(KEYS) do
    if tonumber(redis.call("GET", key) or 0) < 100 then
      redis.call("INCR", key)
      return key
    end
  end]]
bought = redis.call("EVAL", take, 2, "{sold}:0", "{sold}:1")
