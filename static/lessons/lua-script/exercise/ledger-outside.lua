local spend = [[
  local budget = tonumber(redis.call("GET", KEYS[1]))
  if budget < tonumber(ARGV[1]) then
    return false
  end
  return redis.call("DECRBY", KEYS[1], ARGV[1])]]
if redis.call("EVAL", spend, 1, "budget", 6) then
  redis.call("RPUSH", "ledger", 6)
  spent = 6
end
