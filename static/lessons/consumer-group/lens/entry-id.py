from collections.abc import Callable, Mapping

import redis

IDLE_MS = 60_000  # longer than any order takes


def work(r: redis.Redis, me: str, send: Callable[[str | bytes, Mapping], object]) -> None:
    """One round of the consumer `me`, to be called in a loop. `send` may be called twice for one id."""
    # Idle entries first: with a new one in every round they would never be claimed.
    entries = r.xautoclaim("orders", "mails", me, IDLE_MS, count=1)[1]  #@7
    if not entries:  #@5
        streams = r.xreadgroup("mails", me, {"orders": ">"}, count=1, block=1000)  #@3,6
        entries = streams[0][1] if streams else []  #@4
    for id, fields in entries:  #@9
        send(id, fields)  #@10
        r.xack("orders", "mails", id)  #@11
