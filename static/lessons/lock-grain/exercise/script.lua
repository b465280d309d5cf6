local buyer = "user:" .. uuid():sub(1, 1)  -- user:a, user:b
local buy = [[
  local item = redis.call("HGET", KEYS[2], "wants")
  local price = redis.call("ZSCORE", KEYS[1], item)
  if not price then
    return false
  end
  redis.call("HINCRBY", KEYS[3], "funds", price)
  redis.call("HINCRBY", KEYS[2], "funds", -price)
  redis.call("SADD", KEYS[4], item)
  redis.call("ZREM", KEYS[1], item)
  return price]]
local reply = redis.call("EVAL", buy, 4, "market", buyer, "user:carol", buyer .. ":items")
paid = tonumber(reply)
