if redis.call("SETNX", "lock", "taken") == 1 then
  local stock = tonumber(redis.call("GET", "stock"))
  if stock > 0 then
    redis.call("SET", "stock", stock - 1)
    sold = 1
  end
  redis.call("DEL", "lock")
end
