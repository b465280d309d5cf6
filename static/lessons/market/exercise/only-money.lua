local buyer = "user:" .. uuid():sub(1, 1)  -- user:a, user:b
if redis.call("ZREM", "market", "lamp.carol") == 1 then
  redis.call("HINCRBY", buyer, "funds", -10)
  redis.call("HINCRBY", "user:carol", "funds", 10)
end
