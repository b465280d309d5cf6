import uuid
from collections.abc import Callable
from time import monotonic, sleep

import redis

RELEASE = """
if redis.call("GET", KEYS[1]) == ARGV[1] then return redis.call("DEL", KEYS[1]) end
return 0"""


def read(r: redis.Redis, select_price: Callable[[], int]) -> int:
    """Raises TimeoutError where the lock is taken for a second: show the page without the price."""
    price = r.get("price:7")  #@1
    if price is None:  #@2
        me = str(uuid.uuid4())
        patience = monotonic() + 1
        while not r.set("lock:7", me, nx=True, px=10_000):  #@3
            if monotonic() >= patience:
                raise TimeoutError("the lock is taken for a second")
            sleep(0.03)  #@4
        try:  #@5
            price = r.get("price:7")  #@6
            if price is None:  #@7
                price = select_price()  #@8-9
                r.set("price:7", price, px=60_000)  #@10
        finally:  #@11
            r.eval(RELEASE, 1, "lock:7", me)  #@12
    return int(price)  #@13
