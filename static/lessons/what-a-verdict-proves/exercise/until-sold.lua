while redis.call("DECR", "stock") < 0 do
  redis.call("INCR", "stock")
  sleep(100)
end
sold = true
