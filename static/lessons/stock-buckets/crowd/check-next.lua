local first = uuid():byte() % 3 == 0 and 1 or 0  -- by the user's id
for i = 0, 1 do
  local n = (first + i) % 2
  local node, key = connect("s" .. n), "sold:" .. n
  if tonumber(node:call("GET", key) or 0) < 100 then
    node:call("INCR", key)
    bought = key
    return
  end
end
