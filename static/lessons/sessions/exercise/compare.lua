local save = [[
  if redis.call("GET", KEYS[1]) ~= ARGV[1] then
    return 0
  end
  redis.call("SET", KEYS[1], ARGV[2], "EX", 1800)
  return 1]]
local item = uuid()
local session = redis.call("GET", "session:7")
while session and not saved do
  if redis.call("EVAL", save, 1, "session:7", session, session .. " " .. item) == 1 then
    saved = item
  else
    session = redis.call("GET", "session:7")
  end
end
