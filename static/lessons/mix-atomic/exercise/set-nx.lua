if redis.call("SET", "used", 1, "NX") then
  entered = true
end
