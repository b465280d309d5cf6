sleep(60)
for _, c in ipairs(redis.call("XINFO", "CONSUMERS", "orders", "mails")) do
  local name, idle = c[2], c[6]
  if idle >= 60 then
    redis.call("XGROUP", "DELCONSUMER", "orders", "mails", name)
  end
end
