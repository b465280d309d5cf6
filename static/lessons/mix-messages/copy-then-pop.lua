local map = connect("map")
local new = redis.call("LINDEX", "changes", 0)
while new do
  map:call("SET", "hours", new)
  redis.call("LPOP", "changes")
  new = redis.call("LINDEX", "changes", 0)
end
