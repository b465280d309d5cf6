local take = [[
  local id = redis.call("ZRANGE", KEYS[1], 0, 0)[1]
  if not id then return false end
  redis.call("ZREM", KEYS[1], id)
  redis.call("ZADD", KEYS[2], 60000, id)
  return id]]

local id = redis.call("EVAL", take, 2, "queue", "unacked")
if id then
  ran = redis.call("GET", "round") -- the work
  repeat
    redis.call("WATCH", "queue")
    local again = redis.call("ZRANK", "queue", id)
    redis.call("MULTI")
    redis.call("ZREM", "unacked", id)
    if not again then redis.call("HDEL", "messages", id) end
  until redis.call("EXEC")
end
