if not redis.call("GET", "tap:7") then
  sql("INSERT INTO orders VALUES (?)", uuid())
  redis.call("SET", "tap:7", "201")
end
