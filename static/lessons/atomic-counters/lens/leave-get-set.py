import redis


def leave(r: redis.Redis) -> None:
    n = int(r.get("room"))  #@1
    r.set("room", n - 1)  #@2
