local add = [[
  redis.call("HSET", KEYS[1], ARGV[1], "stage-7")
  redis.call("ZADD", KEYS[2], 0, ARGV[1])]]
redis.call("SET", "round", 2)
redis.call("EVAL", add, 2, "messages", "queue", "run")
