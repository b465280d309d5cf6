local pay = [[
  local alice = tonumber(redis.call("GET", KEYS[1]))
  if alice < 10 then
    return 0
  end
  redis.call("DECRBY", KEYS[1], 10)
  redis.call("INCRBY", KEYS[2], 10)
  return 10]]
paid = redis.call("EVAL", pay, 2, "alice", "bob")
