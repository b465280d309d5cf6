import redis


def add_apples(r: redis.Redis) -> None:
    n = int(r.hget("cart:7", "apples"))  #@1
    r.hset("cart:7", "apples", n + 2)  #@2
