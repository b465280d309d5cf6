sql("INSERT INTO voucher VALUES (7, 20)")
redis.call("DEL", "voucher:7")
