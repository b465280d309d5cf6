while not redis.call("SET", "tap:7:lock", 1, "NX", "PX", 120000) do
  sleep(120000)
end
if not redis.call("GET", "tap:7") then
  sql("INSERT INTO orders VALUES (?)", uuid())
  redis.call("SET", "tap:7", "201", "EX", 3600)
end
redis.call("DEL", "tap:7:lock")
