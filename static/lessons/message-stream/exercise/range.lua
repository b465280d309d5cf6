-- No waiting in Redis: look every second.
local after = "-"
seen = 0
while not served do
  for _, entry in ipairs(redis.call("XRANGE", "job:7", after, "+")) do
    after = "(" .. entry[1]
    seen = seen + 1
    served = entry[2][2] == "done"
  end
  if not served then
    sleep(1000)
  end
end
