repeat
  redis.call("WATCH", "budget")
  local budget = tonumber(redis.call("GET", "budget"))
  if budget < 6 then
    redis.call("UNWATCH")
    return
  end
  redis.call("MULTI")
  redis.call("SET", "budget", budget - 6)
  redis.call("RPUSH", "ledger", 6)
  local done = redis.call("EXEC")
until done
spent = 6
