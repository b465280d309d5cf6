local function price()
  local known = process.price
  hit = known ~= nil
  if hit then return known end
  known = redis.call("GET", "price:7")
  process.price = known
  return known
end
price()
sleep(50)
shown = tonumber(price())
