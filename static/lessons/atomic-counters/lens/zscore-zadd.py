import redis


def reward(r: redis.Redis) -> None:
    score = r.zscore("board", "ada")  #@1
    r.zadd("board", {"ada": score + 10})  #@2
