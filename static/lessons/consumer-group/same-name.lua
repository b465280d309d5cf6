local mail = connect("mail")
local function read(from)
  local got = redis.call("XREADGROUP", "GROUP", "mails", "w1", "COUNT", 1, "STREAMS", "orders", from)
  return got and got[1][2][1]
end

local entry = read("0") or read(">")
if entry then
  mail:call("INCR", entry[2][2])
  redis.call("XACK", "orders", "mails", entry[1])
end
