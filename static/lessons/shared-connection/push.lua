local app = connect("redis", { shared = "app" })
app:call("RPUSH", "jobs", "invoice")
pushed = 1
