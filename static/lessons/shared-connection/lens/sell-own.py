import random
import time

import redis


def sell(client: redis.Redis) -> None:
    """Raises WatchError where ten attempts were refused."""
    # A pipeline takes a connection of the pool for itself, until the block ends.
    with client.pipeline() as pipe:  #@1
        for _ in range(10):  #@2
            try:
                pipe.watch("stock")  #@3
                stock = int(pipe.get("stock"))  #@4
                pipe.multi()  #@5
                pipe.set("stock", stock - 1)  #@6
                pipe.execute()  #@7
                return
            except redis.WatchError:
                time.sleep(random.uniform(0, 0.02))
    raise redis.WatchError("ten attempts were refused")
