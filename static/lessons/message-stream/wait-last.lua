local last = "0"
seen = 0
while not served do
  local reply = redis.call("XREAD", "BLOCK", 1000, "STREAMS", "job:7", last)
  for _, entry in ipairs(reply and reply[1][2] or {}) do
    last = entry[1]
    seen = seen + 1
    served = entry[2][2] == "done"
  end
end
