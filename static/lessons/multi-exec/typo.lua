redis.call("MULTI")
redis.call("DECRBY", "alice", 10)
redis.pcall("INCRBY", "bob")
local reply = redis.pcall("EXEC")
refused = reply.err
