local bid = tonumber(redis.call("LPOP", "bids"))
local highest = redis.call("GET", "highest")
if bid > tonumber(highest) and redis.call("GET", "highest") == highest then
  redis.call("SET", "highest", bid)
  accepted = bid
end
