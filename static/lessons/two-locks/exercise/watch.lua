local one, two = redis.call("LPOP", "carts"):match("(%w+),(%w+)")
while true do
  redis.call("WATCH", one, two)
  local left = redis.call("MGET", one, two)
  if left[1] + 0 < 1 or left[2] + 0 < 1 then break end
  redis.call("MULTI")
  redis.call("MSET", one, left[1] - 1, two, left[2] - 1)
  if redis.call("EXEC") then
    sold = 1
    break
  end
end
