redis.call("PEXPIRE", "session", 1800000)
