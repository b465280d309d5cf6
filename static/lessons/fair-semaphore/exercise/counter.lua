if redis.call("INCR", "n") <= 2 then
  holding = true
  sleep(20)
  holding = false
end
