redis.call("SET", "order:7", 2)
local one = connect("r1"):call("GET", "order:7")
local two = connect("r2"):call("GET", "order:7")
source = one >= two and "r1" or "r2"
shown = one >= two and one or two
