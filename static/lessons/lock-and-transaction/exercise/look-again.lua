local unlock = [[
  if redis.call("GET", KEYS[1]) == ARGV[1] then
    redis.call("DEL", KEYS[1])
  end]]
local me = uuid()
while not redis.call("SET", "lock:7", me, "NX", "PX", 30) do sleep(30) end
local n = sql("SELECT n FROM item WHERE id = 7")[1].n
redis.call("EVAL", unlock, 1, "lock:7", me)
n = sql("SELECT n FROM item WHERE id = 7")[1].n
sql("UPDATE item SET n = ? WHERE id = 7", n - 1)
sold = true
