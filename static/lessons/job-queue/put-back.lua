local mail = connect("mail")
while redis.call("LMOVE", "doing", "queue", "RIGHT", "LEFT") do end

local job = redis.call("LMOVE", "queue", "doing", "LEFT", "RIGHT")
if job then
  mail:call("INCR", job)
  redis.call("LREM", "doing", 1, job)
end
