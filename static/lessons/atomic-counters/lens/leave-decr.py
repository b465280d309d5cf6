import redis


def leave(r: redis.Redis) -> int:
    return r.decr("room")  #@1
