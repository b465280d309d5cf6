synchronized("stock", function()
  local stock = tonumber(redis.call("GET", "stock"))
  if stock > 0 then
    redis.call("SET", "stock", stock - 1)
    sold = 1
  end
end)
