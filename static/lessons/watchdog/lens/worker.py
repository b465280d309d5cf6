import threading
import time

import redis
from redis.exceptions import LockError, RedisError

LEASE = 30.0


def work_once(r: redis.Redis) -> bool:
    """False where another client is at work. redis-py has no watchdog: this is one.

    Raises LockNotOwnedError where the lock was lost: two clients may have worked at once.
    """
    until = time.monotonic() + LEASE
    lock = r.lock("lock", timeout=LEASE, thread_local=False)  #@1-18
    if not lock.acquire(blocking=False):  #@20
        return False
    done = threading.Event()

    def renew() -> None:
        nonlocal until
        while not done.wait(LEASE / 3) and time.monotonic() < until:
            asked = time.monotonic()
            try:
                lock.reacquire()
                until = asked + LEASE
            except LockError:
                return  # lost: tell the work, if it can stop
            except RedisError:
                pass  # no answer: try again, until the lease has expired

    threading.Thread(target=renew, daemon=True).start()
    try:
        time.sleep(40)  #@22
    finally:
        done.set()
        lock.release()  # an exception of the work stays in the traceback #@25
    return True  #@23
