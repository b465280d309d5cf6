sleep(500)
for _, p in ipairs(redis.call("XPENDING", "orders", "mails", "IDLE", 500, "-", "+", 10)) do
  local got = redis.call("XCLAIM", "orders", "mails", "new", 500, p[1])
  if #got > 0 then
    redis.call("SADD", "sent", p[1]) -- the work
    redis.call("XACK", "orders", "mails", p[1])
  end
end
for _, c in ipairs(redis.call("XINFO", "CONSUMERS", "orders", "mails")) do
  if c[6] >= 500 then
    redis.call("XGROUP", "DELCONSUMER", "orders", "mails", c[2])
  end
end
