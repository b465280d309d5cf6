local me = uuid()
while not redis.call("SET", "tap:7:lock", me, "NX", "PX", 30) do
  sleep(30)
end
if not redis.call("GET", "tap:7") and redis.call("GET", "tap:7:lock") == me then
  sql("INSERT INTO orders VALUES (?)", uuid())
  redis.call("SET", "tap:7", "201")
  redis.call("DEL", "tap:7:lock")
end
