local keep = [[
  if redis.call("GET", KEYS[1]) == ARGV[1] then
    return redis.call("PEXPIRE", KEYS[1], ARGV[2])
  end
  return 0]]
local token = uuid()
if redis.call("SET", "lock", token, "NX", "PX", 1000) then
  local copies = redis.call("WAIT", 1, 100)
  local kept = redis.call("EVAL", keep, 1, "lock", token, 1000)
  if copies >= 1 and kept == 1 then
    holding = true
    redis.call("INCR", "jobs")
    holding = false
  end
end
