local app = connect("redis", { shared = "app" })
app:call("HELLO", 3)
app:call("CLIENT", "TRACKING", "ON")
local function price()
  local known = process.price
  hit = known ~= nil
  if hit then return known end
  known = app:call("GET", "price:7")
  synchronized("map", function() process.price = known end)
  return known
end
price()
sleep(50)
shown = tonumber(price())
