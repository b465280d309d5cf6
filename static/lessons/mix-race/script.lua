local raise = [[
  local highest = tonumber(redis.call("GET", KEYS[1]))
  if tonumber(ARGV[1]) > highest then
    redis.call("SET", KEYS[1], ARGV[1])
    return 1
  end
  return 0
]]
local bid = tonumber(redis.call("LPOP", "bids"))
if redis.call("EVAL", raise, 1, "highest", bid) == 1 then
  accepted = bid
end
