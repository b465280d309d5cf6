while redis.call("SETNX", "lock", 1) == 0 do
  sleep(30)
end
local list = redis.call("INCR", "feed")
redis.call("SET", "prices", list)
published = list
redis.call("DEL", "lock")
