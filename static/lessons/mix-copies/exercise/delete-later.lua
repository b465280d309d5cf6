sql("INSERT INTO voucher VALUES (7, 20)")
sleep(50)
redis.call("DEL", "voucher:7")
