for i = 0, 1 do
  local n = (first + i) % 2
  local node, key = connect("s" .. n), "stock:" .. n
  if node:call("DECR", key) >= 0 then
    bought = key
    return
  end
  node:call("INCR", key)
end
refused = true
