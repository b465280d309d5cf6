local map = connect("map")
local function read(from)
  local got = redis.call("XREADGROUP", "GROUP", "map", "c", "COUNT", 1, "STREAMS", "log", from)
  return got and got[1][2][1]
end

local entry = read("0") or read(">")
while entry do
  map:call("SET", "hours", entry[2][2])
  redis.call("XACK", "log", "map", entry[1])
  redis.call("XDEL", "log", entry[1])
  entry = read(">")
end
