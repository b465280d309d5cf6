redis.call("LPOP", "bids")
redis.call("SET", "highest", 60)
