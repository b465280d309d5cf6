local user = redis.call("GET", "link")
if user and redis.call("GET", "link") == user then
  redis.call("DEL", "link")
  entered = true
end
