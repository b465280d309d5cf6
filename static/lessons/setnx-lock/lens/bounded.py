import time

import redis


def sell_next(r: redis.Redis) -> str:
    item = r.lpop("orders")  #@1
    # monotonic() never jumps; time() may.
    patience = time.monotonic() + 2  #@2
    while not r.setnx("lock", "1"):  #@3
        if time.monotonic() >= patience:  #@4
            r.rpush("orders", item)  #@5
            return "busy"  #@6-7
        time.sleep(0.01)  #@9
    try:  #@12
        stock = int(r.get(item))  #@13
        if stock > 0:  #@14
            r.set(item, stock - 1)  #@15
            return "sold"  #@16
        return "sold out"
    finally:
        r.delete("lock")  #@19
