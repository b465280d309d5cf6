local answer = redis.call("GET", "tap:7")
if not answer then
  if redis.call("SET", "tap:7:lock", 1, "NX", "PX", 30) then
    sql("INSERT INTO orders VALUES (?)", uuid())
    redis.call("SET", "tap:7", "201")
    redis.call("DEL", "tap:7:lock")
  else
    sleep(20)
    answer = redis.call("GET", "tap:7") or "409"
  end
end
