local login = [[
  redis.call("HSET", KEYS[1], "version", 1, "data", "bob:")
  redis.call("EXPIRE", KEYS[1], 1800)]]
redis.call("DEL", "session:7")
redis.call("EVAL", login, 1, "session:7")
out = true
