local RELEASE = [[
  if redis.call("GET", KEYS[1]) == ARGV[1] then redis.call("DEL", KEYS[1]) end]]
local me = uuid()
while not redis.call("SET", "tap:7:lock", me, "NX", "PX", 30) do
  sleep(30)
end
if not redis.call("GET", "tap:7") then
  sql("INSERT INTO orders VALUES (?)", uuid())
  redis.call("SET", "tap:7", "201")
end
redis.call("EVAL", RELEASE, 1, "tap:7:lock", me)
