local acquire = [[
  if redis.call("SET", KEYS[1], ARGV[1], "NX", "PX", 30) then
    return redis.call("INCR", KEYS[2])
  end
  return nil]]
local release = [[
  if redis.call("GET", KEYS[1]) == ARGV[1] then
    return redis.call("DEL", KEYS[1])
  end
  return 0]]
local update = "UPDATE doc SET body = ?, token = ? WHERE id = 1 AND token <= ?"

me = uuid()
repeat
  token = redis.call("EVAL", acquire, 2, "lock", "fence", me)
  if not token then
    sleep(30)
  end
until token

holding = true
local rows = sql(update, "draft of " .. me, token, token)
rows = sql(update, "report of " .. me, token, token)
written = rows == 1
refused = not written
holding = false
redis.call("EVAL", release, 1, "lock", me)
