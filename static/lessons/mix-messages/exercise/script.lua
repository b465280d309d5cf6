local save = [[
  local new = redis.call("LPOP", KEYS[1])
  redis.call("SET", KEYS[2], new)
  redis.call("RPUSH", KEYS[3], new)
]]
redis.call("EVAL", save, 3, "forms", "hours", "changes")
