local mail = connect("mail")
local take = [[
  for _, job in ipairs(redis.call("LRANGE", KEYS[2], 0, -1)) do
    if redis.call("SET", "lease:" .. job, 1, "NX", "PX", ARGV[1]) then return job end
  end
  local job = redis.call("LMOVE", KEYS[1], KEYS[2], "LEFT", "RIGHT")
  if job then redis.call("SET", "lease:" .. job, 1, "PX", ARGV[1]) end
  return job]]

local function work()
  local job = redis.call("EVAL", take, 2, "queue", "doing", 300)
  if not job then return sleep(30) end
  mail:call("INCR", job)
  redis.call("LREM", "doing", 1, job)
end

repeat pcall(work) until redis.call("EXISTS", "queue", "doing") == 0
