import redis


def pay(client: redis.Redis) -> bool:
    """False where alice has too little, or her balance has changed in between."""
    with client.pipeline() as pipe:
        pipe.watch("alice")  #@1
        # After watch() commands run at once, until multi().
        alice = int(pipe.get("alice"))  #@2
        if alice < 10:  #@3
            pipe.unwatch()  #@11
            return False
        pipe.multi()  #@4
        pipe.decrby("alice", 10)  #@5
        pipe.incrby("bob", 10)  #@6
        try:
            pipe.execute()  #@7
            return True  #@8
        except redis.WatchError:
            return False
