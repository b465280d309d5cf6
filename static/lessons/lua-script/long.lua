local spend = [[
  local checksum = 1
  for i = 1, 5000 do
    checksum = (checksum * 31 + ARGV[1]) % 65521
  end
  local budget = tonumber(redis.call("GET", KEYS[1]))
  local amount = tonumber(ARGV[1])
  if budget < amount then
    return 0
  end
  redis.call("SET", KEYS[1], budget - amount)
  redis.call("RPUSH", KEYS[2], amount)
  return amount]]
spent = redis.call("EVAL", spend, 2, "budget", "ledger", 6)
