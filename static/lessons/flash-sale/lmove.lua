-- The prize waits in a second list until its winner is written down.
local first = redis.call("LMOVE", "prizes", "pending", "LEFT", "RIGHT")
if first then
  local record = [[
    if redis.call("LREM", "pending", 1, ARGV[1]) == 0 then return 0 end
    redis.call("RPUSH", "winners", ARGV[1])
    return 1]]
  if redis.call("EVAL", record, 2, "pending", "winners", first) == 1 then
    prize = first
  end
end
