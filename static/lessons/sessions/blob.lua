local session = redis.call("GET", "session:7")
if session then
  local item = uuid()
  redis.call("SET", "session:7", session .. " " .. item, "EX", 1800)
  saved = item
end
