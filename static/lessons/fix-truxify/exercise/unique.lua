if not redis.call("GET", "tap:7") then
  pcall(sql, "INSERT INTO orders VALUES (?)", "tap:7")
  redis.call("SET", "tap:7", "201")
end
