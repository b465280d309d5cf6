sql("UPDATE orders SET state = 'closed' WHERE id = 'o1' AND state = 'open'")
if sql("SELECT state FROM orders WHERE id = 'o1'")[1].state == "closed" then
  redis.call("WATCH", "returned")
  if redis.call("SISMEMBER", "returned", "o1") == 0 then
    redis.call("MULTI")
    redis.call("SADD", "returned", "o1")
    redis.call("INCR", "stock")
    redis.call("EXEC")
  end
end
