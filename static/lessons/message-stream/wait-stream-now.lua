while not redis.call("XREAD", "BLOCK", 1000, "STREAMS", "job:7", "$") do end
served = true
