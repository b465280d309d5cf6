local renew = [[
  if redis.call("HEXISTS", KEYS[1], ARGV[1]) == 0 then
    return 0
  end
  return redis.call("PEXPIRE", KEYS[1], 30)]]

while true do
  sleep(10)
  redis.call("EVAL", renew, 1, "lock", "jvm1:7")
end
