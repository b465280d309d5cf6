import redis

LEASE = 10.0


def sell(r: redis.Redis) -> str:
    """Raises LockNotOwnedError where the lease was too short.

    Another client may have sold the same unit then.
    """
    lock = r.lock("lock", timeout=LEASE, sleep=0.01, blocking_timeout=2)  #@1
    if not lock.acquire():  #@2-4
        return "busy"
    try:
        stock = int(r.get("stock"))  #@6
        if stock > 0:  #@7
            r.set("stock", stock - 1)  #@8
            return "sold"  #@9
        return "sold out"
    finally:
        lock.release()  # only its own #@12
