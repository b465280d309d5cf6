while not redis.call("SET", "lock", 1, "NX") do sleep(100) end
redis.call("GET", "stock")
sleep(100) -- the report
redis.call("DEL", "lock")
