local app = connect("redis", { shared = "app" })
answer = app:call("GET", "name")
