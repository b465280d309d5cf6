for round = 1, R do
  local stock = tonumber(redis.call("GET", "stock"))
  if stock > 0 then
    redis.call("SET", "stock", stock - 1)
    redis.call("INCR", "sold")
  end
end
