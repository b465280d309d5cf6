local mail = connect("mail")
local got = redis.call("XREADGROUP", "GROUP", "mails", uuid(), "COUNT", 1, "STREAMS", "orders", ">")
if got then
  local id, fields = unpack(got[1][2][1])
  redis.call("XACK", "orders", "mails", id)
  mail:call("INCR", fields[2])
end
