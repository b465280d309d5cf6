local sum = 0
for i = 0, 1 do
  local n = (first + i) % 2
  sum = sum + tonumber(connect("s" .. n):call("GET", "stock:" .. n))
end
shown = sum
