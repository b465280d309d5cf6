local session = redis.call("GET", "session:7")
if session then
  local item = uuid()
  redis.call("APPEND", "session:7", " " .. item)
  redis.call("EXPIRE", "session:7", 1800)
  saved = item
end
