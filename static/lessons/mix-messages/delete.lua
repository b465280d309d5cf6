local map = connect("map")
local new = redis.call("LPOP", "forms")
redis.call("SET", "hours", new)
map:call("DEL", "hours")
