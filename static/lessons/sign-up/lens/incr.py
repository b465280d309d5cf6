import redis

PLACES = 2


def register(r: redis.Redis) -> bool:
    if r.incr("num") <= PLACES:  #@1-2
        return True  #@3
    r.decr("num")  #@5
    return False
