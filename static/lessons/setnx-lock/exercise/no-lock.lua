local take = [[
  local stock = tonumber(redis.call("GET", KEYS[1]))
  if stock and stock > 0 then
    redis.call("DECR", KEYS[1])
    return 1
  end
  return 0]]
local item = redis.call("LPOP", "orders")
sold = redis.call("EVAL", take, 1, item)
