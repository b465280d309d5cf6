-- A connection that no other task asks for.
local app = connect("redis", { shared = "transactions" })
repeat
  app:call("WATCH", "stock")
  local stock = app:call("GET", "stock")
  app:call("MULTI")
  app:call("SET", "stock", stock - 1)
until app:call("EXEC")
sold = 1
