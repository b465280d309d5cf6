local app = connect("redis", { shared = "app" })
app:call("HELLO", 3)
app:call("CLIENT", "TRACKING", "ON")
local function price()
  local known = process.price
  hit = known ~= nil and not known:find("reading")
  if hit then return known end
  local mark
  synchronized("map", function()
    process.reads = (process.reads or 0) + 1
    mark = "reading " .. process.reads
    process.price = mark
  end)
  known = app:call("GET", "price:7")
  synchronized("map", function()
    if process.price == mark then process.price = known end
  end)
  return known
end
price()
sleep(50)
shown = tonumber(price())
