import redis


def deposit(r: redis.Redis) -> None:
    n = int(r.get("balance"))  #@1
    n = n + 10  #@2
    r.set("balance", n)  #@3
