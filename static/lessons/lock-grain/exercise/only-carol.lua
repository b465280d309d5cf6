redis.call("HINCRBY", "user:carol", "funds", 10)
paid = 10
