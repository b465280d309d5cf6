local budget = tonumber(redis.call("GET", "budget"))
if budget >= 6 then
  redis.call("SET", "budget", budget - 6)
  redis.call("RPUSH", "ledger", 6)
  spent = 6
end
