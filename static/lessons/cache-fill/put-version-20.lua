local put = [[
  local known = tonumber(redis.call("GET", KEYS[2]) or 0)
  if tonumber(ARGV[2]) > known then
    redis.call("SET", KEYS[1], ARGV[1])
    redis.call("SET", KEYS[2], ARGV[2])
  end]]
sql("UPDATE product SET price = ?, version = version + 1 WHERE id = 7", 20)
local row = sql("SELECT price, version FROM product WHERE id = 7")[1]
redis.call("EVAL", put, 2, "price:7", "version:7", row.price, row.version)
