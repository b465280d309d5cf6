local map = connect("map")
if not map:call("GET", "hours") then
  map:call("SET", "hours", redis.call("GET", "hours"))
end
