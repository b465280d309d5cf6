local app = connect("redis", { shared = "app" })
app:call("MULTI")
app:call("INCR", "paid")
got = app:call("EXEC")
