waiting = true
sleep(50)
local got = redis.call("XREADGROUP", "GROUP", "mails", "old", "COUNT", 1, "STREAMS", "orders", ">")
waiting = false
if got then
  local id = got[1][2][1][1]
  redis.call("SADD", "sent", id) -- the work
  redis.call("XACK", "orders", "mails", id)
end
