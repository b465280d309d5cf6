redis.call("SET", "order:7", 2)
local number = connect("r1"):call("GET", "order:7")
source = "r1"
if number ~= "2" then
  source = "redis"
  number = connect(source):call("GET", "order:7")
end
shown = number
