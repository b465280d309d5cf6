for request = 1, 2 do
  local price = redis.call("GET", "price:9")
  if not price then
    local row = sql("SELECT price FROM product WHERE id = 9")[1]
    asked = (asked or 0) + 1
    if row then
      redis.call("SET", "price:9", row.price, "PX", 60000)
    else
      redis.call("SET", "price:9", "none", "NX", "PX", 5000)
    end
  end
end
