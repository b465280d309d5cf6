local bid = tonumber(redis.call("LPOP", "bids"))
repeat
  redis.call("WATCH", "highest")
  local highest = tonumber(redis.call("GET", "highest"))
  if bid <= highest then
    break
  end
  redis.call("MULTI")
  redis.call("SET", "highest", bid)
  if redis.call("EXEC") then
    accepted = bid
  end
until accepted
