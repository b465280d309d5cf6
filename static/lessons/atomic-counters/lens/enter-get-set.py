import redis


def enter(r: redis.Redis) -> None:
    n = int(r.get("room"))  #@1
    r.set("room", n + 1)  #@2
