local add = [[
  local score = redis.call("ZSCORE", KEYS[1], ARGV[2])
  redis.call("ZADD", KEYS[1], score + ARGV[1], ARGV[2])]]
redis.call("EVAL", add, 1, "board", 10, "ada")
