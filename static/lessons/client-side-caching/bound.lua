local function price()
  if process.price and now() >= process.until_ms then process.price = nil end
  hit = process.price ~= nil
  if not hit then
    process.price = redis.call("GET", "price:7")
    process.until_ms = now() + 40
  end
  return process.price
end
price()
sleep(30)
soon = tonumber(price())
seen = hit
sleep(20)
shown = tonumber(price())
