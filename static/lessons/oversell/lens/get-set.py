import redis


def buy(r: redis.Redis) -> bool:
    stock = int(r.get("stock"))  #@1
    if stock > 0:  #@2
        r.set("stock", stock - 1)  #@3
        return True  #@4
    return False
