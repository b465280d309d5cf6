redis.call("SET", "voucher:7", 20)
sql("INSERT INTO voucher VALUES (7, 20)")
