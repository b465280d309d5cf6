local app = connect("redis", { shared = "app" })
-- Whatever was watched: the connection is given back clean.
app:call("UNWATCH")
