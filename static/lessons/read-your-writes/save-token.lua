local save = [[
  redis.call("SET", KEYS[1], ARGV[1])
  return redis.call("INCR", KEYS[2])]]
local token = redis.call("EVAL", save, 2, "order:7", "version:7", 2)
for _, name in ipairs({ "r1", "redis" }) do
  local got = connect(name):call("MGET", "order:7", "version:7")
  if tonumber(got[2]) >= token then
    source, shown = name, got[1]
    break
  end
end
