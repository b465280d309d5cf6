local function try(item)
  return redis.call("SET", "lock:" .. item, 1, "NX")
end
local one, two = redis.call("LMOVE", "carts", "carts", "LEFT", "RIGHT"):match("(%w+),(%w+)")
while true do
  if try(one) then
    if try(two) then break end
    redis.call("DEL", "lock:" .. one)
  end
  sleep(30)
end
local left = redis.call("MGET", one, two)
if left[1] + 0 > 0 and left[2] + 0 > 0 then
  redis.call("MSET", one, left[1] - 1, two, left[2] - 1)
  sold = 1
end
redis.call("DEL", "lock:" .. one, "lock:" .. two)
