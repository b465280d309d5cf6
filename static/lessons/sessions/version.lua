local write = [[
  if redis.call("HGET", KEYS[1], "version") ~= ARGV[1] then
    return 0
  end
  redis.call("HINCRBY", KEYS[1], "version", 1)
  redis.call("HSET", KEYS[1], "data", ARGV[2])
  return 1]]
local item = uuid()
while not saved do
  local version, data = unpack(redis.call("HMGET", "session:7", "version", "data"))
  if not version then
    break
  end
  data = data .. " " .. item
  if redis.call("EVAL", write, 1, "session:7", version, data) == 1 then
    saved = item
  end
end
