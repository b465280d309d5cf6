local unlock = [[
  if redis.call("GET", KEYS[1]) == ARGV[1] then
    return redis.call("DEL", KEYS[1])
  end
  return 0]]
local token = uuid()
if redis.call("SET", "lock", token, "NX", "PX", 1000) then
  local copies = redis.call("WAIT", 1, 100)
  local owner = redis.call("GET", "lock")
  if copies >= 1 and owner == token then
    holding = true
    redis.call("INCR", "jobs")
    holding = false
  end
  redis.call("EVAL", unlock, 1, "lock", token)
end
