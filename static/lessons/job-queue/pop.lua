local mail = connect("mail")
local job = redis.call("LPOP", "queue")
if job then
  mail:call("INCR", job)
end
