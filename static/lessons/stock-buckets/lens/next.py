import redis

TAKE = """
if tonumber(redis.call("GET", KEYS[1])) < 1 then return 0 end
redis.call("DECR", KEYS[1])
return 1"""  #@1-4


def buy(nodes: list[redis.Redis], user: str) -> str | None:
    """Begins with the user's bucket; returns the key of the one that had an item, or None."""
    for i in range(len(nodes)):  #@5
        n = (int(user) + i) % len(nodes)  #@6
        if nodes[n].eval(TAKE, 1, f"stock:{n}") == 1:  #@7
            return f"stock:{n}"  #@8-9
    return None  #@12
