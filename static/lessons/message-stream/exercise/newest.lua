-- Only the newest entry of a reply.
local last = "0"
seen = 0
while not served do
  local reply = redis.call("XREAD", "BLOCK", 1000, "STREAMS", "job:7", last)
  if reply then
    local entries = reply[1][2]
    local entry = entries[#entries]
    last = entry[1]
    seen = seen + 1
    served = entry[2][2] == "done"
  end
end
