if redis.call("DECR", "stock") ~= -1 then sold = true end
