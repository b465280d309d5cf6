local buy = [[
  if tonumber(redis.call("GET", KEYS[1])) <= 0 then return 0 end
  redis.call("DECR", KEYS[1])
  return redis.call("RPUSH", KEYS[2], ARGV[1])]]
redis.call("EVAL", buy, 2, "stock", "outbox", uuid())
