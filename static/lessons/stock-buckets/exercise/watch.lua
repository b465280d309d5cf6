for i = 0, 1 do
  local n = (first + i) % 2
  local node, key = connect("s" .. n), "stock:" .. n
  node:call("WATCH", key)
  while tonumber(node:call("GET", key)) > 0 do
    node:call("MULTI")
    node:call("DECR", key)
    if node:call("EXEC") then
      bought = key
      return
    end
    node:call("WATCH", key)
  end
  node:call("UNWATCH")
end
refused = true
