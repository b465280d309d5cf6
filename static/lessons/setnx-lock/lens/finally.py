import time

import redis


def sell_next(r: redis.Redis) -> bool:
    item = r.lpop("orders")  #@1
    while not r.setnx("lock", "1"):  #@2
        time.sleep(0.01)  #@3
    try:  #@6
        stock = int(r.get(item))  #@7
        if stock > 0:  #@8
            r.set(item, stock - 1)  #@9
            return True  #@10
        return False
    finally:
        r.delete("lock")  #@13-14
