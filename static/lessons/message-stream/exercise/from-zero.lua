-- All entries from the beginning, each time.
while not served do
  local reply = redis.call("XREAD", "BLOCK", 1000, "STREAMS", "job:7", "0")
  local entries = reply and reply[1][2] or {}
  seen = #entries
  served = seen > 0 and entries[seen][2][2] == "done"
  if not served then
    sleep(1000)
  end
end
