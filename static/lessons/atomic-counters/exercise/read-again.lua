local score
repeat
  score = redis.call("ZSCORE", "board", "ada")
until redis.call("ZSCORE", "board", "ada") == score
redis.call("ZADD", "board", score + 10, "ada")
