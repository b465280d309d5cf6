local bid = tonumber(redis.call("LPOP", "bids"))
local before = tonumber(redis.call("SET", "highest", bid, "GET"))
if bid > before then
  accepted = bid
else
  redis.call("SET", "highest", before)
end
