import time

import redis


def sell_next(r: redis.Redis) -> bool:
    sold = False
    item = r.lpop("orders")  #@1
    while not r.setnx("lock", "1"):  #@2
        time.sleep(0.01)  #@3
    stock = int(r.get(item))  #@6
    if stock > 0:  #@7
        r.set(item, stock - 1)  #@8
        sold = True  #@9
    r.delete("lock")  #@11
    return sold
