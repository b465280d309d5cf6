import time
import uuid

import redis


def run(r: redis.Redis) -> None:
    me = str(uuid.uuid4())  #@1
    while not r.set("lock", me, nx=True, px=10_000):  #@2
        time.sleep(0.01)  #@3
    try:
        r.incr("jobs")  #@6
    finally:
        # The reply is bytes, or a str with decode_responses=True.
        if r.get("lock") in (me, me.encode()):  #@8
            r.getdel("lock")  #@9
