import time
from contextlib import ExitStack

import redis


def check_out(r: redis.Redis) -> bool:
    """False where an item is sold out, or no cart is left.

    Raises LockNotOwnedError where a lock was lost: another client may have sold the same items.
    """
    cart = r.lpop("carts")  #@8
    if cart is None:
        return False
    if isinstance(cart, bytes):
        cart = cart.decode()
    # One order for all clients, and no lock twice.
    items = sorted(set(cart.split(",")))  #@9
    patience = time.monotonic() + 5  # for all locks, and shorter than a lease
    # Releases the locks also after an error, in the reverse order.
    with ExitStack() as locks:  #@17
        for item in items:  #@10-11
            wait = patience - time.monotonic()
            lock = r.lock("lock:" + item, timeout=10, blocking_timeout=wait)  #@1-7
            if not lock.acquire():
                r.rpush("carts", cart)
                raise TimeoutError("a lock is taken, please try again")
            locks.callback(lock.release)
        left = r.mget(items)  #@12
        if any(int(n or 0) < 1 for n in left):  #@13
            return False
        r.mset({item: int(n) - 1 for item, n in zip(items, left)})  #@14
        return True  #@15
