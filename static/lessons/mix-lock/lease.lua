local release = [[
  if redis.call("GET", KEYS[1]) == ARGV[1] then
    return redis.call("DEL", KEYS[1])
  end
  return 0]]
local me = uuid()
while not redis.call("SET", "lock", me, "NX", "PX", 30) do
  sleep(30)
end
local list = redis.call("INCR", "feed")
redis.call("SET", "prices", list)
published = list
redis.call("EVAL", release, 1, "lock", me)
