if redis.call("INCR", "n") <= 1 then
  holding = true
  sleep(20)
  holding = false
end
