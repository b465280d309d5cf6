import redis


def sell_next(r: redis.Redis) -> str:
    item = r.lpop("orders")  #@1
    if not r.setnx("lock", "1"):  #@2
        return "busy"  #@3-4
    try:  #@7
        stock = int(r.get(item))  #@8
        if stock > 0:  #@9
            r.set(item, stock - 1)  #@10
            return "sold"  #@11
        return "sold out"
    finally:
        r.delete("lock")  #@14
