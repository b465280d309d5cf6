local delete = [[
  if #redis.call("XPENDING", KEYS[1], "mails", "-", "+", 1, ARGV[1]) == 0 then
    return redis.call("XGROUP", "DELCONSUMER", KEYS[1], "mails", ARGV[1])
  end
  return false]]
sleep(50)
for _, p in ipairs(redis.call("XPENDING", "orders", "mails", "IDLE", 50, "-", "+", 10)) do
  local got = redis.call("XCLAIM", "orders", "mails", "new", 50, p[1])
  if #got > 0 then
    redis.call("SADD", "sent", p[1]) -- the work
    redis.call("XACK", "orders", "mails", p[1])
  end
end
for _, c in ipairs(redis.call("XINFO", "CONSUMERS", "orders", "mails")) do
  local name, idle = c[2], c[6]
  if idle >= 50 then
    redis.call("EVAL", delete, 1, "orders", name)
  end
end
