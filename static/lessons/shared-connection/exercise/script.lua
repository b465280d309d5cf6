-- One command: nothing of it stays on the connection.
local app = connect("redis", { shared = "app" })
app:call("EVAL", "return redis.call('DECR', KEYS[1])", 1, "stock")
sold = 1
