local release = [[
  if redis.call("GET", KEYS[1]) == ARGV[1] then
    return redis.call("DEL", KEYS[1])
  end
  return 0]]

me = uuid()
while not redis.call("SET", "lock", me, "NX", "PX", 30) do
  sleep(30)
end
token = (redis.call("GET", "fence") or 0) + 1
redis.call("SET", "fence", token)

holding = true
written = resource("storage"):write("report of " .. me, token)
refused = not written
holding = false
redis.call("EVAL", release, 1, "lock", me)
