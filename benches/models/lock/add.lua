local release = [[
  if redis.call("GET", KEYS[1]) == ARGV[1] then return redis.call("DEL", KEYS[1]) end
  return 0]]
local token = uuid()
for round = 1, R do
  while not redis.call("SET", "lock", token, "NX", "PX", 30000) do end
  holding = true
  local counter = tonumber(redis.call("GET", "counter"))
  redis.call("SET", "counter", counter + 1)
  redis.call("EVAL", release, 1, "lock", token)
  holding = false
end
