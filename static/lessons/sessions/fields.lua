local user = redis.call("HGET", "session:7", "user")
if user then
  local item = uuid()
  redis.call("HSET", "session:7", "item:" .. item, 1)
  saved = item
end
