local one, two = redis.call("LPOP", "carts"):match("(%w+),(%w+)")
local buy = [[
  local left = redis.call("MGET", KEYS[1], KEYS[2])
  if left[1] + 0 < 1 or left[2] + 0 < 1 then return 0 end
  redis.call("DECR", KEYS[1])
  redis.call("DECR", KEYS[2])
  return 1]]
if redis.call("EVAL", buy, 2, one, two) == 1 then sold = 1 end
