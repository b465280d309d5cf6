local bid = tonumber(redis.call("LPOP", "bids"))
synchronized("highest", function()
  local highest = tonumber(redis.call("GET", "highest"))
  if bid > highest then
    redis.call("SET", "highest", bid)
    accepted = bid
  end
end)
