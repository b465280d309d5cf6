redis.call("SADD", "members", "ben")
redis.call("SADD", "notes", "milk")
