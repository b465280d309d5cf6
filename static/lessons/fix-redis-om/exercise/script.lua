local save = [[
  local left = redis.call("PTTL", KEYS[1])
  if left <= 0 then return 0 end
  return redis.call("SET", KEYS[1], ARGV[1], "PX", left)]]
local session = redis.call("GET", "session")
redis.call("EVAL", save, 1, "session", session .. ",dark")
