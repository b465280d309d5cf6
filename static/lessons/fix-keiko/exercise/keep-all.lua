local take = [[
  local id = redis.call("ZRANGE", KEYS[1], 0, 0)[1]
  if not id then return false end
  redis.call("ZREM", KEYS[1], id)
  redis.call("ZADD", KEYS[2], 60000, id)
  return id]]

local id = redis.call("EVAL", take, 2, "queue", "unacked")
if id then
  ran = redis.call("GET", "round") -- the work
  redis.call("ZREM", "unacked", id)
end
