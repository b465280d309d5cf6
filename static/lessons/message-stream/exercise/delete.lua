seen = 0
while not served do
  local reply = redis.call("XREAD", "BLOCK", 1000, "STREAMS", "job:7", "0")
  for _, entry in ipairs(reply and reply[1][2] or {}) do
    redis.call("XDEL", "job:7", entry[1])
    seen = seen + 1
    served = entry[2][2] == "done"
  end
end
