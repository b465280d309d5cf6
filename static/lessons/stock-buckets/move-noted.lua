local send = [[
  if tonumber(redis.call("GET", KEYS[1])) < 1 then return 0 end
  redis.call("DECR", KEYS[1])
  return redis.call("SADD", KEYS[2], ARGV[1])]]
local arrive = [[
  if redis.call("SADD", KEYS[2], ARGV[1]) == 1 then
    redis.call("INCR", KEYS[1])
  end]]
local s0, s1 = connect("s0"), connect("s1")
if s1:call("EVAL", send, 2, "stock:1", "out:1", "m1") == 1 then
  s0:call("EVAL", arrive, 2, "stock:0", "in:0", "m1")
  s1:call("SREM", "out:1", "m1")
end
