import redis


def sell(client: redis.Redis) -> None:
    # A pipeline takes a connection of the pool for itself, until the block ends.
    with client.pipeline() as pipe:  #@1
        while True:  #@2
            try:
                pipe.watch("stock")  #@3
                stock = int(pipe.get("stock"))  #@4
                pipe.multi()  #@5
                pipe.set("stock", stock - 1)  #@6
                pipe.execute()  #@7
                return
            except redis.WatchError:
                continue
