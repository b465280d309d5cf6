local app = connect("redis", { shared = "app" })
repeat
  app:call("WATCH", "stock")
  local stock = app:call("GET", "stock")
  app:call("WATCH", "stock")
  app:call("MULTI")
  app:call("SET", "stock", stock - 1)
until app:call("EXEC")
sold = 1
