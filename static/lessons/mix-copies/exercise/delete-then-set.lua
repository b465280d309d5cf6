sql("INSERT INTO voucher VALUES (7, 20)")
redis.call("DEL", "voucher:7")
redis.call("SET", "voucher:7", 20)
