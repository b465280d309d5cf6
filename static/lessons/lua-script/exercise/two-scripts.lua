local enough = [[
  local budget = tonumber(redis.call("GET", KEYS[1]))
  return budget >= tonumber(ARGV[1])]]
local spend = [[
  redis.call("DECRBY", KEYS[1], ARGV[1])
  redis.call("RPUSH", KEYS[2], ARGV[1])]]
if redis.call("EVAL", enough, 1, "budget", 6) then
  redis.call("EVAL", spend, 2, "budget", "ledger", 6)
  spent = 6
end
