local app = connect("redis")
app:call("HELLO", 3)
app:call("CLIENT", "TRACKING", "ON")
local cache
local function price()
  while cache and app:receive(0) do cache = nil end
  hit = cache ~= nil
  cache = cache or app:call("GET", "price:7")
  return cache
end
price()
sleep(50)
shown = tonumber(price())
