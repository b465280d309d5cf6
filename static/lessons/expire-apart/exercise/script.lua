local take = [[
  if redis.call("SETNX", KEYS[1], "1") == 1 then
    redis.call("PEXPIRE", KEYS[1], ARGV[1])
    return 1
  end
  return 0]]
while redis.call("EVAL", take, 1, "lock", 20) == 0 do
  sleep(10)
end
holding = true
redis.call("INCR", "jobs")
redis.call("DEL", "lock")
holding = false
