local buyer = "user:" .. uuid():sub(1, 1)  -- user:a, user:b
while true do
  redis.call("WATCH", "market", buyer)
  local item = redis.call("HGET", buyer, "wants")
  local price = redis.call("ZSCORE", "market", item)
  if not price then
    redis.call("UNWATCH")
    return
  end
  redis.call("MULTI")
  redis.call("HINCRBY", "user:carol", "funds", price)
  redis.call("HINCRBY", buyer, "funds", -price)
  redis.call("SADD", buyer .. ":items", item)
  redis.call("ZREM", "market", item)
  if redis.call("EXEC") then
    paid = tonumber(price)
    return
  end
  again = (again or 0) + 1
end
