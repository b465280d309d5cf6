while not redis.call("SET", "tap:7:lock", 1, "NX", "PX", 30) do
  sleep(30)
end
if not redis.call("GET", "tap:7") then
  sql("INSERT INTO orders VALUES (?)", uuid())
  redis.call("SET", "tap:7", "201")
end
redis.call("DEL", "tap:7:lock")
