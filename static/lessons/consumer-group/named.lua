local mail = connect("mail")
local send = 'return redis.call("SET", KEYS[1], 1, "NX") and redis.call("INCR", KEYS[2]) or 0'
local got = redis.call("XREADGROUP", "GROUP", "mails", "a", "COUNT", 1, "STREAMS", "orders", ">")
local entry = got and got[1][2][1]
if entry then
  mail:call("EVAL", send, 2, entry[1], entry[2][2])
  redis.call("XACK", "orders", "mails", entry[1])
end
