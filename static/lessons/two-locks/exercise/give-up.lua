local function try(item)
  return redis.call("SET", "lock:" .. item, 1, "NX")
end
local one, two = redis.call("LPOP", "carts"):match("(%w+),(%w+)")
if not try(one) then return end
if not try(two) then
  redis.call("DEL", "lock:" .. one)
  return
end
local left = redis.call("MGET", one, two)
if left[1] + 0 > 0 and left[2] + 0 > 0 then
  redis.call("MSET", one, left[1] - 1, two, left[2] - 1)
  sold = 1
end
redis.call("DEL", "lock:" .. one, "lock:" .. two)
