sleep(50)
for _, p in ipairs(redis.call("XPENDING", "orders", "mails", "IDLE", 50, "-", "+", 10)) do
  local id, consumer = p[1], p[2]
  local got = redis.call("XCLAIM", "orders", "mails", "new", 50, id)
  redis.call("XGROUP", "DELCONSUMER", "orders", "mails", consumer)
  if #got > 0 then
    redis.call("SADD", "sent", id) -- the work
    redis.call("XACK", "orders", "mails", id)
  end
end
