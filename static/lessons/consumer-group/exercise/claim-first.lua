sleep(30)
for _, c in ipairs(redis.call("XINFO", "CONSUMERS", "orders", "mails")) do
  local name, idle = c[2], c[6]
  if idle >= 30 then
    redis.call("XAUTOCLAIM", "orders", "mails", "b", 0, "0", "JUSTID")
    redis.call("XGROUP", "DELCONSUMER", "orders", "mails", name)
  end
end
