local token = redis.call("INCR", "version:7")
redis.call("SET", "order:7", 2)
for _, name in ipairs({ "r1", "redis" }) do
  local got = connect(name):call("MGET", "order:7", "version:7")
  if tonumber(got[2]) >= token then
    source, shown = name, got[1]
    break
  end
end
