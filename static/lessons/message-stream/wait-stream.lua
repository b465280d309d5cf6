while not redis.call("XREAD", "BLOCK", 1000, "STREAMS", "job:7", "0") do end
served = true
