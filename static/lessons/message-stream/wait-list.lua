while not redis.call("BLPOP", "job:7", 1) do end
served = true
