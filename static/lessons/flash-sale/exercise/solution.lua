local place = redis.call("INCR", "visitors")
if place <= 2 then
  prize = place
end
