local app = connect("redis", { shared = "app" })
synchronized("pool", function()
  local title = app:pcall("GET", "chats:bob")
  if type(title) == "table" then
    -- Cancelled: the pool has to open another connection.
    app:close()
    return
  end
  shown = title
end)
