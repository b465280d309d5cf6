local user = redis.call("GET", "link")
if user and redis.call("DEL", "link") == 1 then
  entered = true
end
