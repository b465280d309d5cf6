import threading
import time

import redis
from redis.exceptions import LockError

LEASE = 30.0


def work_once(r: redis.Redis) -> bool:
    """False where somebody else is at work. redis-py has no watchdog: this is one."""
    lock = r.lock("lock", timeout=LEASE, thread_local=False)  #@1-18
    if not lock.acquire(blocking=False):  #@20
        return False
    done = threading.Event()

    def renew() -> None:
        while not done.wait(LEASE / 3):
            try:
                lock.reacquire()
            except LockError:
                return  # lost: the work should be told

    threading.Thread(target=renew, daemon=True).start()
    try:
        time.sleep(40)  #@22
        return True  #@23
    finally:
        done.set()
        lock.release()  #@25
