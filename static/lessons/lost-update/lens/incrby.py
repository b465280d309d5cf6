import redis


def deposit(r: redis.Redis) -> int:
    return r.incrby("balance", 10)  #@1
