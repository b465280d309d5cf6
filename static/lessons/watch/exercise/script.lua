local double = [[
  local points = redis.call("GET", KEYS[1])
  redis.call("SET", KEYS[1], points * 2)]]
redis.call("EVAL", double, 1, "points")
doubled = 1
