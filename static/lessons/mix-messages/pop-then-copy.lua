local map = connect("map")
local new = redis.call("LPOP", "changes")
while new do
  map:call("SET", "hours", new)
  new = redis.call("LPOP", "changes")
end
