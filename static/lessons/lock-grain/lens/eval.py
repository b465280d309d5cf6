import redis

BUY = """
local item = redis.call("HGET", KEYS[2], "wants")
local price = redis.call("ZSCORE", KEYS[1], item)
if not price then
  return false
end
redis.call("HINCRBY", KEYS[3], "funds", price)
redis.call("HINCRBY", KEYS[2], "funds", -price)
redis.call("SADD", KEYS[4], item)
redis.call("ZREM", KEYS[1], item)
return price"""  #@2-12


def buy(r: redis.Redis, buyer: str) -> int | None:
    """What the buyer has paid; None where the wanted item is not for sale."""
    keys = ["market", buyer, "user:carol", f"{buyer}:items"]  #@1
    price = r.register_script(BUY)(keys=keys)  #@13
    return None if price is None else int(price)  #@14
