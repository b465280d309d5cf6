if redis.call("EXISTS", "used") == 0 then
  redis.call("SET", "used", 1)
  entered = true
end
