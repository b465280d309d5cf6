local before = redis.call("INCR", "visitors") - 1
if before <= 2 then
  prize = before
end
