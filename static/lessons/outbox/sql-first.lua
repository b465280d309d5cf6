if tonumber(redis.call("GET", "stock")) > 0 then
  sql("INSERT INTO orders VALUES (?, 'open')", uuid())
  redis.call("DECR", "stock")
end
