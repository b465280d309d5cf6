redis.call("MULTI")
redis.call("DECRBY", "alice", 10)
redis.call("INCRBY", "bob", 10)
redis.call("EXEC")
