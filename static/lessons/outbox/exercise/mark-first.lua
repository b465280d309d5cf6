sql("UPDATE orders SET state = 'closed' WHERE id = 'o1' AND state = 'open'")
if sql("SELECT state FROM orders WHERE id = 'o1'")[1].state == "closed" then
  if redis.call("SADD", "returned", "o1") == 1 then
    redis.call("INCR", "stock")
  end
end
