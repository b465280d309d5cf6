for round = 1, R do
  redis.call("INCR", "audit")
  local stock = tonumber(redis.call("GET", "stock"))
  if stock > 0 then
    redis.call("SET", "stock", stock - 1)
    redis.call("INCR", "sold")
  end
  redis.call("INCR", "audit")
end
