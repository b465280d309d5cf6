local app = connect("redis", { shared = "app" })
job = app:call("BLPOP", "jobs", 0)
