redis.call("WATCH", "session:7")
local session = redis.call("GET", "session:7")
if session then
  local item = uuid()
  redis.call("MULTI")
  redis.call("SET", "session:7", session .. " " .. item, "EX", 1800)
  if redis.call("EXEC") then
    saved = item
  end
end
