import redis


def add_apples(r: redis.Redis) -> int:
    return r.hincrby("cart:7", "apples", 2)  #@1
