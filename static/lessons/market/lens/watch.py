import random
import time

import redis


def buy_lamp(client: redis.Redis, buyer: str) -> bool:  #@1
    """False where the lamp is gone, the buyer has too little, or ten attempts were refused."""
    with client.pipeline() as pipe:
        for _ in range(10):  #@2
            try:
                pipe.watch("market", buyer)  #@3
                # After watch() commands run at once, until multi().
                price = pipe.zscore("market", "lamp.carol")  #@4
                funds = int(pipe.hget(buyer, "funds"))  #@5
                if price is None or funds < price:  #@6
                    pipe.unwatch()  #@7
                    return False  #@8
                pipe.multi()  #@10
                pipe.hincrby(buyer, "funds", -int(price))  #@11
                pipe.hincrby("user:carol", "funds", int(price))  #@12
                pipe.sadd(f"{buyer}:items", "lamp")  #@13
                pipe.zrem("market", "lamp.carol")  #@14
                pipe.execute()  #@15
                return True  #@16
            except redis.WatchError:  #@16
                time.sleep(random.uniform(0, 0.02))
    return False
