sleep(30)
redis.call("EVAL", [[
  for _, c in ipairs(redis.call("XINFO", "CONSUMERS", KEYS[1], ARGV[1])) do
    local name, idle = c[2], c[6]
    if name ~= ARGV[2] and idle >= 30 then
      for _, p in ipairs(redis.call("XPENDING", KEYS[1], ARGV[1], "-", "+", 100, name)) do
        redis.call("XCLAIM", KEYS[1], ARGV[1], ARGV[2], 0, p[1], "JUSTID")
      end
      redis.call("XGROUP", "DELCONSUMER", KEYS[1], ARGV[1], name)
    end
  end]], 1, "orders", "mails", "b")
