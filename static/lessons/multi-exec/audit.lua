local balances = redis.call("MGET", "alice", "bob")
found = balances[1] + (tonumber(balances[2]) or 0)
