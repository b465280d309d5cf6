for i = 0, 1 do
  local n = (first + i) % 2
  local node, key = connect("s" .. n), "stock:" .. n
  node:call("WATCH", key)
  if tonumber(node:call("GET", key)) > 0 then
    node:call("MULTI")
    node:call("DECR", key)
    if node:call("EXEC") then bought = key else refused = true end
    return
  end
end
refused = true
