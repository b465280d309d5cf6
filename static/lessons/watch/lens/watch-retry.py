import redis


def double_points(client: redis.Redis) -> None:
    with client.pipeline() as pipe:
        while True:
            try:
                pipe.watch("points")  #@5
                # After watch() commands run at once, until multi().
                points = int(pipe.get("points"))  #@6
                pipe.multi()  #@7
                pipe.set("points", points * 2)  #@8
                pipe.execute()  #@9
                return
            except redis.WatchError:  #@10
                continue
