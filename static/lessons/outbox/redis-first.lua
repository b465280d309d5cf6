if redis.call("DECR", "stock") >= 0 then
  if not pcall(sql, "INSERT INTO orders VALUES (?, 'open')", uuid()) then
    redis.call("INCR", "stock")
  end
else
  redis.call("INCR", "stock")
end
