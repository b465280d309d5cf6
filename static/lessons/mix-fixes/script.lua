local leave = [[
  redis.call("SREM", KEYS[1], ARGV[1])
  if redis.call("SCARD", KEYS[1]) == 0 then redis.call("DEL", KEYS[2]) end]]
redis.call("EVAL", leave, 2, "members", "notes", "ann")
