-- The mutex keeps out a task that takes it too, and the other task does not.
local app = connect("redis", { shared = "app" })
synchronized("app", function()
  repeat
    app:call("WATCH", "stock")
    local stock = app:call("GET", "stock")
    app:call("MULTI")
    app:call("SET", "stock", stock - 1)
  until app:call("EXEC")
  sold = 1
end)
