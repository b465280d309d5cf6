local cancel = [[
  if redis.call("ZREM", KEYS[1], ARGV[1]) == 0
    or redis.call("GET", KEYS[2]) ~= "open" then return 0 end
  redis.call("SET", KEYS[2], "cancelled")
  return redis.call("INCR", KEYS[3])]]

local id = redis.call("ZRANGEBYSCORE", "due", 0, now(), "LIMIT", 0, 1)[1]
if id then
  redis.call("EVAL", cancel, 3, "due", "order:" .. id, "free", id)
end
