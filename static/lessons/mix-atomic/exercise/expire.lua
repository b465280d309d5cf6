local user = redis.call("GET", "link")
if user then
  redis.call("PEXPIRE", "link", 0)
  entered = true
end
