local mail = connect("mail")
local take = [[
  local again
  for _, job in ipairs(redis.call("LRANGE", KEYS[2], 0, -1)) do
    if not again and redis.call("EXISTS", "lease:" .. job) == 0 then again = job end
  end
  local job = again or redis.call("LMOVE", KEYS[1], KEYS[2], "LEFT", "RIGHT")
  if job and redis.call("HINCRBY", KEYS[3], job, 1) > 1 then
    redis.call("LREM", KEYS[2], 1, job)
    redis.call("RPUSH", KEYS[4], job)
    return false
  end
  if job then redis.call("SET", "lease:" .. job, 1, "PX", ARGV[1]) end
  return job]]

local function work()
  local job = redis.call("EVAL", take, 4, "queue", "doing", "tries", "dead", 30)
  if not job then return sleep(30) end
  mail:call("INCR", job)
  redis.call("LREM", "doing", 1, job)
end

repeat pcall(work) until redis.call("EXISTS", "queue", "doing") == 0
