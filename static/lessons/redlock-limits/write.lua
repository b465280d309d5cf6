local unlock = [[
  if redis.call("GET", KEYS[1]) == ARGV[1] then
    return redis.call("DEL", KEYS[1])
  end
  return 0]]
local disk = resource("disk")
local nodes = { connect("r1", 5), connect("r2", 5), connect("r3", 5) }
local ttl, drift = 30, 1
token = uuid()
local start, votes = now(), 0
for _, node in ipairs(nodes) do
  local reply = node:pcall("SET", "lock", token, "NX", "PX", ttl)
  if reply and reply.ok then votes = votes + 1 end
end
local validity = ttl - (now() - start) - drift
if votes >= 2 and validity > 0 then
  valid_until = now() + validity
  holding, since = true, now()
  number = redis.call("INCR", "number")
  disk:write(number)
  holding, valid_until = false, nil
end
for _, node in ipairs(nodes) do
  node:pcall("EVAL", unlock, 1, "lock", token)
end
