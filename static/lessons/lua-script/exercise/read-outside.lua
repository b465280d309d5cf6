local spend = [[
  redis.call("SET", KEYS[1], ARGV[1])
  redis.call("RPUSH", KEYS[2], ARGV[2])]]
local budget = tonumber(redis.call("GET", "budget"))
if budget >= 6 then
  redis.call("EVAL", spend, 2, "budget", "ledger", budget - 6, 6)
  spent = 6
end
