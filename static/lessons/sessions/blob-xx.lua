local session = redis.call("GET", "session:7")
if session then
  local item = uuid()
  if redis.call("SET", "session:7", session .. " " .. item, "XX", "EX", 1800) then
    saved = item
  end
end
