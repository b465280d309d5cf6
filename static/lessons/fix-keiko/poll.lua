local take = [[
  local id = redis.call("ZRANGE", KEYS[1], 0, 0)[1]
  if not id then return false end
  redis.call("ZREM", KEYS[1], id)
  redis.call("ZADD", KEYS[2], 60000, id)
  return id]]
local remove = [[
  redis.call("ZREM", KEYS[1], ARGV[1])
  redis.call("ZREM", KEYS[2], ARGV[1])
  redis.call("HDEL", KEYS[3], ARGV[1])]]

local id = redis.call("EVAL", take, 2, "queue", "unacked")
if id then
  ran = redis.call("GET", "round") -- the work
  if redis.call("ZRANK", "queue", id) then -- pushed again
    redis.call("ZREM", "unacked", id)
  else
    redis.call("EVAL", remove, 3, "queue", "unacked", "messages", id)
  end
end
