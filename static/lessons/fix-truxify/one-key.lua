if redis.call("SET", "tap:7", "working", "NX") then
  sql("INSERT INTO orders VALUES (?)", uuid())
  redis.call("SET", "tap:7", "201")
else
  answer = redis.call("GET", "tap:7")
  if answer == "working" then answer = "409" end
end
