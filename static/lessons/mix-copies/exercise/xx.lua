sql("INSERT INTO voucher VALUES (7, 20)")
redis.call("SET", "voucher:7", 20, "XX")
