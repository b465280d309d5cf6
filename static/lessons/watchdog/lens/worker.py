import threading
import time

import redis
from redis.exceptions import LockError, RedisError

LEASE = 30.0


def work_once(r: redis.Redis) -> bool:
    """False where another client is at work. redis-py has no watchdog: this is one."""
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
                return  # lost: the work should be told
            except RedisError:
                pass  # no answer: try again, until the lease has expired

    threading.Thread(target=renew, daemon=True).start()
    try:
        time.sleep(40)  #@22
        return True  #@23
    finally:
        done.set()
        try:
            lock.release()  #@25
        except RedisError:
            pass  # lost, or out of reach: do not hide an exception of the work
