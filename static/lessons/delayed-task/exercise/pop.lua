local id = redis.call("ZPOPMIN", "due")[1]
if id and redis.call("GET", "order:" .. id) == "open" then
  redis.call("SET", "order:" .. id, "cancelled")
  redis.call("INCR", "free")
end
