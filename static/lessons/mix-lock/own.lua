local release = [[
  if redis.call("GET", KEYS[1]) == ARGV[1] then
    return redis.call("DEL", KEYS[1])
  end
  return 0]]
local publish = [[
  if redis.call("GET", KEYS[1]) == ARGV[1] then
    redis.call("SET", KEYS[2], ARGV[2])
    return 1
  end
  return 0]]
local me = uuid()
while not redis.call("SET", "lock", me, "NX", "PX", 30) do
  sleep(30)
end
local list = redis.call("INCR", "feed")
if redis.call("EVAL", publish, 2, "lock", "prices", me, list) == 1 then
  published = list
end
redis.call("EVAL", release, 1, "lock", me)
