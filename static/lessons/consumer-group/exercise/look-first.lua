sleep(30)
for _, c in ipairs(redis.call("XINFO", "CONSUMERS", "orders", "mails")) do
  local name, pending, idle = c[2], c[4], c[6]
  if pending == 0 and idle >= 30 then
    redis.call("XGROUP", "DELCONSUMER", "orders", "mails", name)
  end
end
