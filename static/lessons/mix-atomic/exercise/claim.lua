redis.call("RPUSH", "claims", uuid())
if redis.call("LLEN", "claims") == 1 then
  entered = true
end
