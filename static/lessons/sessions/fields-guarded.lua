local add = [[
  if redis.call("EXISTS", KEYS[1]) == 0 then
    return 0
  end
  redis.call("HSET", KEYS[1], ARGV[1], 1)
  return 1]]
local item = uuid()
if redis.call("EVAL", add, 1, "session:7", "item:" .. item) == 1 then
  saved = item
end
