local session = redis.call("GET", "session:7")
if session then
  local item = uuid()
  redis.call("MULTI")
  redis.call("SET", "session:7", session .. " " .. item, "XX", "EX", 1800)
  local replies = redis.call("EXEC")
  if replies[1] then
    saved = item
  end
end
