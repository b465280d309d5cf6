local cancel = [[
  if redis.call("GET", KEYS[1]) ~= "open" then return end
  redis.call("SET", KEYS[1], "cancelled")
  redis.call("INCR", KEYS[2])]]
local id = redis.call("ZRANGEBYSCORE", "due", 0, now(), "LIMIT", 0, 1)[1]
if id then
  redis.call("EVAL", cancel, 2, "order:" .. id, "free")
  redis.call("ZREM", "due", id)
end
