local own = connect("redis")
repeat
  own:call("WATCH", "stock")
  local stock = own:call("GET", "stock")
  own:call("MULTI")
  own:call("SET", "stock", stock - 1)
until own:call("EXEC")
sold = 1
