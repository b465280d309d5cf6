local user = redis.call("GETDEL", "link")
if user then
  entered = true
end
