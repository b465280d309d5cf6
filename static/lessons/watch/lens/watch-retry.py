import redis


def double_points(client: redis.Redis) -> None:
    with client.pipeline() as pipe:
        while True:
            try:
                pipe.watch("points")  #@4
                # After watch() commands run at once, until multi().
                points = int(pipe.get("points"))  #@5
                pipe.multi()  #@6
                pipe.set("points", points * 2)  #@7
                pipe.execute()  #@8
                return
            except redis.WatchError:  #@9
                continue
