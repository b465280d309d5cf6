local buyer = "user:" .. uuid():sub(1, 1)  -- user:a, user:b
repeat
  redis.call("WATCH", "market", buyer)
  local price = redis.call("ZSCORE", "market", "lamp.carol")
  local funds = redis.call("HGET", buyer, "funds")
  if not price or tonumber(funds) < tonumber(price) then
    redis.call("UNWATCH")
    return
  end
  redis.call("MULTI")
  redis.call("HINCRBY", buyer, "funds", -price)
  redis.call("HINCRBY", "user:carol", "funds", price)
  redis.call("SADD", buyer .. ":items", "lamp")
  redis.call("ZREM", "market", "lamp.carol")
  local done = redis.call("EXEC")
until done
