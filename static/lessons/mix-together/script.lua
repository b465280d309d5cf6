local send = [[
  if tonumber(redis.call("GET", KEYS[1])) >= 6 then
    redis.call("DECRBY", KEYS[1], 6)
    redis.call("INCRBY", KEYS[2], 6)
  end
]]
redis.call("EVAL", send, 2, "ann", "bob")
