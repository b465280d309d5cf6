-- A support tool sets the customer's points. It knows nothing of WATCH.
redis.call("SET", "points", 50)
