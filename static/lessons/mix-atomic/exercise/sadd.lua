if redis.call("SADD", "used", "ann") == 1 then
  entered = true
end
