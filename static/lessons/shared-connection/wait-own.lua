local own = connect("redis")
job = own:call("BLPOP", "jobs", 0)
