local back = [[
  if redis.call("SADD", KEYS[1], ARGV[1]) == 1 then
    redis.call("INCR", KEYS[2])
  end]]
sql("UPDATE orders SET state = 'closed' WHERE id = 'o1' AND state = 'open'")
if sql("SELECT state FROM orders WHERE id = 'o1'")[1].state == "closed" then
  redis.call("EVAL", back, 2, "returned", "stock", "o1")
end
