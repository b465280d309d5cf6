import redis


def reward(r: redis.Redis) -> float:
    return r.zincrby("board", 10, "ada")  #@1
