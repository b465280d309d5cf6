local publish = [[
  if ARGV[1] + 0 > tonumber(redis.call("GET", KEYS[1])) then
    redis.call("SET", KEYS[1], ARGV[1])
    return 1
  end
  return 0]]
local list = redis.call("INCR", "feed")
if redis.call("EVAL", publish, 1, "prices", list) == 1 then
  published = list
end
