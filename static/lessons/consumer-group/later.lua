sleep(100)
local gone = true
for _, c in ipairs(redis.call("XINFO", "CONSUMERS", "orders", "mails")) do
  if c[2] == "a" then gone = false end
end
removed = gone

local mail = connect("mail")
local send = 'return redis.call("SET", KEYS[1], 1, "NX") and redis.call("INCR", KEYS[2]) or 0'
local got = redis.call("XREADGROUP", "GROUP", "mails", "c", "COUNT", 1, "STREAMS", "orders", ">")
local entry = got and got[1][2][1]
entry = entry or redis.call("XAUTOCLAIM", "orders", "mails", "c", 30, "0", "COUNT", 1)[2][1]
if entry then mail:call("EVAL", send, 2, entry[1], entry[2][2]) end
