local RELEASE = [[for _, key in ipairs(KEYS) do
  if redis.call("GET", key) == ARGV[1] then redis.call("DEL", key) end
end]]
local me = uuid()
local function lock(item, me)
  while not redis.call("SET", "lock:" .. item, me, "NX", "PX", 30) do sleep(30) end
end
local one, two = redis.call("LMOVE", "carts", "carts", "LEFT", "RIGHT"):match("(%w+),(%w+)")
lock(one, me)
lock(two, me)
local left = redis.call("MGET", one, two)
if left[1] + 0 > 0 and left[2] + 0 > 0 then
  redis.call("MSET", one, left[1] - 1, two, left[2] - 1)
  sold = 1
end
redis.call("EVAL", RELEASE, 2, "lock:" .. one, "lock:" .. two, me)
