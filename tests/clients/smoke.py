"""The engine behind a port, as redis-py meets it. The argument is the port."""

import sys
import threading

import redis

PORT = int(sys.argv[1])


def connect(**options):
    return redis.Redis(port=PORT, decode_responses=True, socket_timeout=5, **options)


def raises(kind, text, act):
    try:
        act()
    except kind as error:
        assert text in str(error), error
        return
    raise AssertionError(f"no {kind.__name__}")


def strings_and_hashes(r):
    assert r.set("s", "v", ex=100) and r.get("s") == "v" and 0 < r.ttl("s") <= 100
    assert r.set("s", "w", nx=True) is None
    assert r.incr("n") == 1 and r.incrbyfloat("n", 0.5) == 1.5
    assert r.mset({"a": 1, "b": 2}) and r.mget("a", "b", "none") == ["1", "2", None]
    assert r.hset("h", mapping={"f": "1", "g": "2"}) == 2
    assert r.hgetall("h") == {"f": "1", "g": "2"}
    assert redis.Redis(port=PORT).get("s") == b"v"
    r.set("bytes", bytes(range(256)))
    assert redis.Redis(port=PORT).get("bytes") == bytes(range(256))


def collections(r):
    r.rpush("l", 1, 2, 3)
    assert r.lrange("l", 0, -1) == ["1", "2", "3"]
    r.sadd("t", "x", "y")
    assert r.smembers("t") == {"x", "y"}
    r.zadd("z", {"m": 1.5, "n": 2})
    scores = [tuple(pair) for pair in r.zrange("z", 0, -1, withscores=True)]
    assert scores == [("m", 1.5), ("n", 2.0)], scores
    entry = r.xadd("x", {"f": "v"})
    assert r.xrange("x") == [(entry, {"f": "v"})]


def pipelines_and_transactions(r):
    with r.pipeline(transaction=False) as pipe:
        for n in range(1000):
            pipe.set(f"p:{n}", n)
        assert pipe.execute() == [True] * 1000
    with r.pipeline() as pipe:
        pipe.watch("balance")
        pipe.multi()
        pipe.set("balance", 1)
        r.set("balance", 2)
        raises(redis.WatchError, "", pipe.execute)
    r.transaction(lambda pipe: (pipe.multi(), pipe.incr("balance")), "balance")
    assert r.get("balance") == "3"


def iterators(r):
    assert len(set(r.scan_iter("p:*", count=50))) == 1000
    r.hset("big", mapping={f"f{n}": n for n in range(500)})
    assert len(dict(r.hscan_iter("big"))) == 500


def messages(r):
    ears = r.pubsub()
    ears.subscribe("news")
    ears.psubscribe("new*")
    kinds = [ears.get_message(timeout=5)["type"] for _ in range(2)]
    assert kinds == ["subscribe", "psubscribe"], kinds
    assert r.publish("news", "hello") == 2
    heard = [ears.get_message(timeout=5) for _ in range(2)]
    assert [message["type"] for message in heard] == ["message", "pmessage"], heard
    assert {message["data"] for message in heard} == {"hello"}
    ears.close()


def blocking(r):
    popped = []
    waiter = threading.Thread(target=lambda: popped.append(connect().blpop("queue", timeout=5)))
    waiter.start()
    while r.info("clients")["blocked_clients"] == 0:
        pass
    r.rpush("queue", "job")
    waiter.join()
    assert [tuple(pair) for pair in popped] == [("queue", "job")], popped
    assert r.blpop("queue", timeout=0.05) is None


def scripts(r):
    release = r.register_script(
        "if redis.call('get',KEYS[1])==ARGV[1] then return redis.call('del',KEYS[1]) end return 0"
    )
    r.set("lock", "token")
    assert release(keys=["lock"], args=["other"]) == 0
    assert release(keys=["lock"], args=["token"]) == 1
    r.script_flush()
    assert release(keys=["lock"], args=["token"]) == 0  # NOSCRIPT, loaded anew
    lock = r.lock("resource", timeout=5)
    assert lock.acquire(blocking=False) and not r.lock("resource").acquire(blocking=False)
    lock.release()


def connections(r):
    named = connect(client_name="smoke")
    assert named.client_getname() == "smoke"
    assert any(client["name"] == "smoke" for client in r.client_list())
    other = connect(db=1)
    other.set("only", "here")
    assert r.get("only") is None
    assert r.info("server")["redis_version"] == "7.0.15"


def errors(r):
    r.set("s", "v")
    raises(redis.ResponseError, "WRONGTYPE", lambda: r.lpush("s", 1))
    raises(redis.ResponseError, "unknown command", lambda: r.execute_command("NOSUCH"))
    raises(redis.ResponseError, "not an integer", lambda: r.incr("s"))


for protocol in (2, 3):
    client = connect(protocol=protocol)
    client.flushall()
    for part in (strings_and_hashes, collections, pipelines_and_transactions, iterators,
                 messages, blocking, scripts, connections, errors):
        part(client)
print(f"redis-py {redis.__version__}: all is well")
