for _, name in ipairs { "m1", "m2", "m3" } do
  local reply = connect(name, 5):pcall("INCR", "last")
  if type(reply) == "number" then
    number = reply
    break
  end
end
