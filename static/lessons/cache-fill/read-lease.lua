local fill = [[
  if redis.call("GET", KEYS[2]) == ARGV[2] then
    redis.call("SET", KEYS[1], ARGV[1], "PX", 1000)
    redis.call("DEL", KEYS[2])
    return 1
  end
  return 0]]
local price = redis.call("GET", "price:7")
if not price then
  local token = uuid()
  local mine = redis.call("SET", "lease:7", token, "NX", "PX", 100)
  price = sql("SELECT price FROM product WHERE id = 7")[1].price
  if mine then
    redis.call("EVAL", fill, 2, "price:7", "lease:7", price, token)
  end
end
shown = tonumber(price)
