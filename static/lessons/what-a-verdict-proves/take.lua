if redis.call("DECR", "stock") >= 0 then sold = true end
