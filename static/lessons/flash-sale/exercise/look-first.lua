local before = tonumber(redis.call("GET", "visitors") or 0)
if before < 2 then
  prize = redis.call("INCR", "visitors")
end
