local function lock(item)
  while not redis.call("SET", "lock:" .. item, 1, "NX") do sleep(30) end
end
local one, two = redis.call("LMOVE", "carts", "carts", "LEFT", "RIGHT"):match("(%w+),(%w+)")
lock(one)
lock(two)
local left = redis.call("MGET", one, two)
if left[1] + 0 > 0 and left[2] + 0 > 0 then
  redis.call("MSET", one, left[1] - 1, two, left[2] - 1)
  sold = 1
end
redis.call("DEL", "lock:" .. one, "lock:" .. two)
