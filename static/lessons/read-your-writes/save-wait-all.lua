redis.call("SET", "order:7", 2)
local copies = redis.call("WAIT", 2, 100)
source = copies >= 2 and "r1" or "redis"
shown = connect(source):call("GET", "order:7")
