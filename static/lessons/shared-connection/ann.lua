local app = connect("redis", { shared = "app" })
synchronized("pool", function()
  shown = app:call("GET", "chats:ann")
end)
