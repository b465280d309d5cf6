import redis

SAVE = """
redis.call("SET", KEYS[1], ARGV[1])
return redis.call("INCR", KEYS[2])"""  #@1-3


def save_and_show(nodes: list[redis.Redis], number: str) -> str | bytes | None:
    """Takes the clients of the master and of a replica; returns None where the change has been lost."""
    master, replica = nodes
    token = master.eval(SAVE, 2, "order:7", "version:7", number)  #@4
    for node in (replica, master):  #@5
        shown, version = node.mget("order:7", "version:7")  #@6
        if int(version or 0) >= token:  #@7
            return shown  #@8-9
    return None
