local move = [[
  if tonumber(redis.call("GET", KEYS[1])) > 0 then
    redis.call("DECR", KEYS[1])
    return redis.call("INCR", KEYS[2])
  end]]
redis.call("EVAL", move, 2, "{stock}:1", "{stock}:0")
