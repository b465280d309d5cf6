sql("INSERT INTO voucher VALUES (7, 20)")
redis.call("EVAL", [[return redis.call("SET", KEYS[1], ARGV[1])]], 1, "voucher:7", 20)
