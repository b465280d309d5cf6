from collections.abc import Callable

import redis


def change(r: redis.Redis, update: Callable[[], object]) -> None:
    update()  # returns after the commit  #@1
    r.delete("price:7")  #@2
