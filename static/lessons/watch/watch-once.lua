redis.call("WATCH", "points")
local points = redis.call("GET", "points")
redis.call("MULTI")
redis.call("SET", "points", points * 2)
if redis.call("EXEC") then
  doubled = 1
end
