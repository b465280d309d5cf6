local alice = tonumber(redis.call("GET", "alice"))
if alice >= 10 then
  redis.call("WATCH", "alice")
  redis.call("MULTI")
  redis.call("DECRBY", "alice", 10)
  redis.call("INCRBY", "bob", 10)
  if redis.call("EXEC") then
    paid = 10
  end
end
