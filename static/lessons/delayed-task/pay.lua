local pay = [[
  if redis.call("GET", KEYS[1]) ~= "open" then return 0 end
  redis.call("SET", KEYS[1], "paid")
  return 1]]
if redis.call("EVAL", pay, 1, "order:7") == 1 then paid = true end
