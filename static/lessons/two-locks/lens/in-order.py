from contextlib import ExitStack

import redis


def check_out(r: redis.Redis) -> bool:
    """False where an item is sold out, or no cart is left."""
    cart = r.lpop("carts")  #@8
    if cart is None:
        return False
    if isinstance(cart, bytes):
        cart = cart.decode()
    # One order for all clients, and no lock twice.
    items = sorted(set(cart.split(",")))  #@9
    # Releases the locks also after an error, in the reverse order.
    with ExitStack() as locks:  #@17
        for item in items:
            lock = r.lock("lock:" + item, timeout=10)  #@1-7
            locks.enter_context(lock)  #@10-11
        left = r.mget(items)  #@12
        if any(int(n or 0) < 1 for n in left):  #@13
            return False
        r.mset({item: int(n) - 1 for item, n in zip(items, left)})  #@14
        return True  #@15
