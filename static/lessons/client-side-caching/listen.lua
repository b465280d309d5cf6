local app = connect("redis", { shared = "app" })
if app:receive(100) then
  synchronized("cache", function() process.price = nil end)
end
