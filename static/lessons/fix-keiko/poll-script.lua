local take = [[
  local id = redis.call("ZRANGE", KEYS[1], 0, 0)[1]
  if not id then return false end
  redis.call("ZREM", KEYS[1], id)
  redis.call("ZADD", KEYS[2], 60000, id)
  return id]]
local ack = [[
  redis.call("ZREM", KEYS[2], ARGV[1])
  if not redis.call("ZRANK", KEYS[1], ARGV[1]) then
    redis.call("HDEL", KEYS[3], ARGV[1])
  end]]

local id = redis.call("EVAL", take, 2, "queue", "unacked")
if id then
  ran = redis.call("GET", "round") -- the work
  redis.call("EVAL", ack, 3, "queue", "unacked", "messages", id)
end
