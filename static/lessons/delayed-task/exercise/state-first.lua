local cancel = [[
  if redis.call("GET", KEYS[1]) ~= "open" then return 0 end
  redis.call("SET", KEYS[1], "cancelled")
  return 1]]
local id = redis.call("ZRANGEBYSCORE", "due", 0, now(), "LIMIT", 0, 1)[1]
if id then
  local mine = redis.call("EVAL", cancel, 1, "order:" .. id) == 1
  redis.call("ZREM", "due", id)
  if mine then redis.call("INCR", "free") end
end
