import redis


def buy(r: redis.Redis) -> bool:
    left = r.decr("stock")  #@1
    if left >= 0:  #@2
        return True  #@3
    r.incr("stock")  #@5
    return False
