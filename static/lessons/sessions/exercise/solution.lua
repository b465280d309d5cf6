local add = [[
  local session = redis.call("GET", KEYS[1])
  if not session then
    return 0
  end
  redis.call("SET", KEYS[1], session .. " " .. ARGV[1], "EX", 1800)
  return 1]]
local item = uuid()
if redis.call("EVAL", add, 1, "session:7", item) == 1 then
  saved = item
end
