local session = redis.call("GET", "session:7")
local item = uuid()
while session do
  local again = redis.call("GET", "session:7")
  if again == session then
    redis.call("SET", "session:7", session .. " " .. item, "EX", 1800)
    saved = item
    break
  end
  session = again
end
