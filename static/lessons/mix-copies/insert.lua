sql("INSERT INTO voucher VALUES (7, 20)")
