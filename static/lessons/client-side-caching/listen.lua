local app = connect("redis", { shared = "app" })
if app:receive(100) then
  synchronized("map", function() process.price = nil end)
end
