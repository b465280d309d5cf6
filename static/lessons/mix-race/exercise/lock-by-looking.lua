local bid = tonumber(redis.call("LPOP", "bids"))
while redis.call("EXISTS", "lock") == 1 do
  sleep(10)
end
redis.call("SET", "lock", "taken")
local highest = tonumber(redis.call("GET", "highest"))
if bid > highest then
  redis.call("SET", "highest", bid)
  accepted = bid
end
redis.call("DEL", "lock")
