sleep(500)
for _, p in ipairs(redis.call("XPENDING", "orders", "mails", "IDLE", 500, "-", "+", 10)) do
  local got = redis.call("XCLAIM", "orders", "mails", "new", 500, p[1])
  if #got > 0 then
    redis.call("SADD", "sent", p[1]) -- the work
    redis.call("XACK", "orders", "mails", p[1])
  end
end
