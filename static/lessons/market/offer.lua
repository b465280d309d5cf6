-- Carol offers her lamp: is it still hers? Then it goes from her things into the market.
if redis.call("SISMEMBER", "user:carol:items", "lamp") == 1 then
  redis.call("SREM", "user:carol:items", "lamp")
  redis.call("ZADD", "market", 10, "lamp.carol")
end
