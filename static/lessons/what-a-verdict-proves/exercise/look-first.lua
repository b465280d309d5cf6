if tonumber(redis.call("GET", "stock")) > 0 then
  redis.call("DECR", "stock")
  sold = true
end
