local put = [[
  local known = tonumber(redis.call("GET", KEYS[2]) or 0)
  if tonumber(ARGV[2]) > known then
    redis.call("SET", KEYS[1], ARGV[1])
    redis.call("SET", KEYS[2], ARGV[2])
  end]]
local price = redis.call("GET", "price:7")
if not price then
  local row = sql("SELECT price, version FROM product WHERE id = 7")[1]
  price = row.price
  redis.call("EVAL", put, 2, "price:7", "version:7", row.price, row.version)
end
shown = tonumber(price)
