for i = 0, 1 do
  local n = (first + i) % 2
  local node, key = connect("s" .. n), "stock:" .. n
  if tonumber(node:call("GET", key)) > 0 then
    node:call("DECR", key)
    bought = key
    return
  end
end
refused = true
