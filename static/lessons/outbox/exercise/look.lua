if sql("SELECT state FROM orders WHERE id = 'o1'")[1].state == "open" then
  sql("UPDATE orders SET state = 'closed' WHERE id = 'o1'")
  redis.call("INCR", "stock")
end
