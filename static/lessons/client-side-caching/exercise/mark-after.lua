local app = connect("redis", { shared = "app" })
app:call("HELLO", 3)
app:call("CLIENT", "TRACKING", "ON")
local function price()
  local known = process.price
  hit = known ~= nil and not known:find("reading")
  if hit then return known end
  local mark = "reading " .. uuid()
  known = app:call("GET", "price:7")
  synchronized("map", function() process.price = mark end)
  synchronized("map", function()
    if process.price == mark then process.price = known end
  end)
  return known
end
price()
sleep(50)
shown = tonumber(price())
