sql("UPDATE orders SET state = 'paid' WHERE id = 'o1' AND state = 'open'")
