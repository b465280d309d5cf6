local nodes = {}
for n = 1, 5 do nodes[n] = connect("r" .. n, 5) end
local ttl, drift = 30, 1
token = uuid()
local start, votes = now(), 0
for _, node in ipairs(nodes) do
  local reply = node:pcall("SET", "lock", token, "NX", "PX", ttl)
  if reply and reply.ok then votes = votes + 1 end
end
local validity = ttl - (now() - start) - drift
if votes >= 3 and validity > 0 then
  valid_until = now() + validity
  holding, acquired = true, true
  sleep(10)
  holding, valid_until = false, nil
end
