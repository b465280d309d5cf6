local nodes = { connect("m1", 5), connect("m2", 5), connect("m3", 5) }
local me = uuid()
for n = 1, 2 do
  local votes = 0
  for _, node in ipairs(nodes) do
    local reply = node:pcall("SETNX", "number:" .. n, me)
    if reply == 1 then
      votes = votes + 1
    end
  end
  if votes >= 2 then
    number = n
    break
  end
end
