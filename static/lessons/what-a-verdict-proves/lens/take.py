import redis


def buy(r: redis.Redis) -> bool:
    return r.decr("stock") >= 0  #@1
