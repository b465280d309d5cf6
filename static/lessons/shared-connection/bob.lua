local app = connect("redis", { shared = "app" })
synchronized("pool", function()
  local title = app:pcall("GET", "chats:bob")
  if type(title) == "table" then
    -- Cancelled: the connection goes back to the pool as it is.
    return
  end
  shown = title
end)
