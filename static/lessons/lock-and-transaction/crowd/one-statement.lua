sold = sql("UPDATE item SET n = n - 1 WHERE id = 7") == 1
