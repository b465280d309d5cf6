sleep(30)
redis.call("EVAL", [[
  for _, c in ipairs(redis.call("XINFO", "CONSUMERS", KEYS[1], ARGV[1])) do
    if c[4] == 0 and c[6] >= 30 then
      redis.call("XGROUP", "DELCONSUMER", KEYS[1], ARGV[1], c[2])
    end
  end]], 1, "orders", "mails")
