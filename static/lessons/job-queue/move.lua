local mail = connect("mail")
local job = redis.call("LMOVE", "queue", "doing", "LEFT", "RIGHT")
if job then
  mail:call("INCR", job)
  redis.call("LREM", "doing", 1, job)
end
