local map = connect("map")
local name = redis.call("LINDEX", "changes", 0)
while name do
  map:call("SET", name, redis.call("GET", name))
  redis.call("LPOP", "changes")
  name = redis.call("LINDEX", "changes", 0)
end
