local take = [[
  local id = redis.call("ZRANGEBYSCORE", KEYS[1], 0, ARGV[1], "LIMIT", 0, 1)[1]
  if id then redis.call("ZADD", KEYS[1], ARGV[1] + 30, id) end
  return id]]

local id = redis.call("EVAL", take, 1, "due", now())
if not id then
  sleep(30)
  id = redis.call("EVAL", take, 1, "due", now())
end
if id then
  redis.call("INCR", "free")
  redis.call("ZREM", "due", id)
end
