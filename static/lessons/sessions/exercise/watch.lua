local item = uuid()
while not saved do
  redis.call("WATCH", "session:7")
  local session = redis.call("GET", "session:7")
  if not session then
    redis.call("UNWATCH")
    break
  end
  redis.call("MULTI")
  redis.call("SET", "session:7", session .. " " .. item, "EX", 1800)
  if redis.call("EXEC") then
    saved = item
  end
end
