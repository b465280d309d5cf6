local arrive = [[
  if redis.call("SADD", KEYS[2], ARGV[1]) == 1 then
    redis.call("INCR", KEYS[1])
  end]]
local s0, s1 = connect("s0"), connect("s1")
for _, id in ipairs(s1:call("SMEMBERS", "out:1")) do
  s0:call("EVAL", arrive, 2, "stock:0", "in:0", id)
  s1:call("SREM", "out:1", id)
end
