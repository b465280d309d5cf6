import uuid
from collections.abc import Callable

import redis

FILL = """
if redis.call("GET", KEYS[2]) == ARGV[2] then
  redis.call("SET", KEYS[1], ARGV[1], "PX", 1000)
  redis.call("DEL", KEYS[2])
  return 1
end
return 0"""  #@1-7


def read(r: redis.Redis, select_price: Callable[[], int]) -> int:
    price = r.get("price:7")  #@8
    if price is None:  #@9
        token = str(uuid.uuid4())  #@10
        mine = r.set("lease:7", token, nx=True, px=10_000)  #@11
        price = select_price()  #@12
        if mine:  #@13
            r.eval(FILL, 2, "price:7", "lease:7", price, token)  #@14-15
    return int(price)  #@16-17
