sleep(30)
redis.call("XINFO", "CONSUMERS", "orders", "mails")
