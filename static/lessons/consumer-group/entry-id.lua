local send = 'return redis.call("SET", KEYS[1], 1, "NX") and redis.call("INCR", KEYS[2]) or 0'
local mail, me = connect("mail"), uuid()
local got = redis.call("XREADGROUP", "GROUP", "mails", me, "COUNT", 1, "STREAMS", "orders", ">")
local entry = got and got[1][2][1]
if not entry then
  sleep(30)
  entry = redis.call("XAUTOCLAIM", "orders", "mails", me, 30, "0", "COUNT", 1)[2][1]
end
if entry then
  mail:call("EVAL", send, 2, entry[1], entry[2][2])
  redis.call("XACK", "orders", "mails", entry[1])
end
