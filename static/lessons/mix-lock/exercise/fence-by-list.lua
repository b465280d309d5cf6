local publish = [[
  if ARGV[1] + 0 < tonumber(redis.call("GET", KEYS[1])) then
    return 0
  end
  redis.call("SET", KEYS[1], ARGV[1])
  return 1]]
while not redis.call("SET", "lock", 1, "NX", "PX", 30) do
  sleep(30)
end
local list = redis.call("INCR", "feed")
if redis.call("EVAL", publish, 1, "prices", list) == 1 then
  published = list
end
redis.call("DEL", "lock")
