local bid = tonumber(redis.call("LPOP", "bids"))
local highest = tonumber(redis.call("GET", "highest"))
if bid > highest then
  redis.call("INCRBY", "highest", bid - highest)
  accepted = bid
end
