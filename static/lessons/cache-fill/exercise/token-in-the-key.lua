local fill = [[
  if redis.call("GET", KEYS[1]) == ARGV[1] then
    redis.call("SET", KEYS[1], ARGV[2])
  end]]
local token = uuid()
local price = redis.call("SET", "price:7", token, "NX", "GET")
if not tonumber(price) then
  local mine = not price
  price = sql("SELECT price FROM product WHERE id = 7")[1].price
  if mine then
    redis.call("EVAL", fill, 1, "price:7", token, price)
  end
end
shown = tonumber(price)
