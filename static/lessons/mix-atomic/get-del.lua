local user = redis.call("GET", "link")
if user then
  redis.call("DEL", "link")
  entered = true
end
