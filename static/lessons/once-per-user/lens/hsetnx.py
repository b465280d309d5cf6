import redis


def give(r: redis.Redis) -> bool:
    """False where another request of this user came first."""
    first = r.hsetnx("requests", "ann", 1)  #@1
    if first:  #@2
        r.rpush("coupons", "ann")  #@3
    return bool(first)
