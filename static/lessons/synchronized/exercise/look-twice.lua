synchronized("stock", function()
  local stock = tonumber(redis.call("GET", "stock"))
  if stock > 0 and tonumber(redis.call("GET", "stock")) == stock then
    redis.call("SET", "stock", stock - 1)
    sold = 1
  end
end)
