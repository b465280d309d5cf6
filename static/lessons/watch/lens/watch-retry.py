import random
import time

import redis


def double_points(client: redis.Redis) -> bool:
    """False where every attempt was refused."""
    with client.pipeline() as pipe:
        for _ in range(10):
            try:
                pipe.watch("points")  #@4
                # After watch() commands run at once, until multi().
                points = int(pipe.get("points"))  #@5
                pipe.multi()  #@6
                pipe.set("points", points * 2)  #@7
                pipe.execute()  #@8
                return True
            except redis.WatchError:  #@9
                time.sleep(random.uniform(0, 0.02))
    return False
