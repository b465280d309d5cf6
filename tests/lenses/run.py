"""Runs lenses for redis-py. Arguments: the port, "text" or "bytes" (what replies are), the folder.

A line of input is a lens and options, `lost-update/get-set work_ms=2`; a line of output says how it
ended, in JSON.
"""

import importlib.util
import inspect
import json
import sqlite3
import sys
import time

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

port, replies, folder = sys.argv[1:]
client = redis.Redis(port=int(port), decode_responses=replies == "text")


def one_of_several(port):
    retry = Retry(NoBackoff(), 0)
    return redis.Redis(port=int(port), decode_responses=replies == "text", socket_timeout=2, retry=retry)


def text(value):
    return value.decode() if isinstance(value, bytes) else value


class Database(sqlite3.Connection):
    """SQLite's own, with rows that are hashes in Redis too: there a test sees and changes them.

    The row of doc is written by each UPDATE and orders by each INSERT, the row of item by the COMMIT of a transaction; all
    of them are work.
    """

    def execute(self, sql, parameters=()):
        if sql == "BEGIN":
            self.begun = True
            cursor = super().execute(sql)
            super().execute("REPLACE INTO item VALUES (7, ?)", (int(client.hget("item", "n")),))
            return cursor
        if sql.startswith("INSERT INTO orders"):
            rows = [[text(value) for value in row] for row in client.hgetall("orders").items()]
            super().executemany("REPLACE INTO orders VALUES (?, ?)", rows)
            work()
            cursor = super().execute(sql, parameters)
            client.hset("orders", mapping=dict(super().execute("SELECT id, state FROM orders").fetchall()))
            return cursor
        if not sql.startswith("UPDATE doc"):
            return super().execute(sql, parameters)
        body, token = client.hmget("doc", "body", "token")
        super().execute("REPLACE INTO doc VALUES (1, ?, ?)", (body, int(token)))
        cursor = super().execute(sql, parameters)
        body, token = super().execute("SELECT body, token FROM doc").fetchone()
        client.hset("doc", mapping={"body": body, "token": token})
        work()
        return cursor

    begun = False

    def __exit__(self, *error):
        commits = self.begun and error[0] is None
        self.begun = False
        if commits:
            work()
        super().__exit__(*error)
        if commits:
            client.hset("item", "n", super().execute("SELECT n FROM item").fetchone()[0])
        return False


def database():
    db = sqlite3.connect(":memory:", factory=Database)
    db.execute("CREATE TABLE doc (id INT PRIMARY KEY, body VARCHAR(40), token INT)")
    db.execute("CREATE TABLE item (id INT PRIMARY KEY, n INT)")
    db.execute("CREATE TABLE orders (id VARCHAR(40) PRIMARY KEY, state VARCHAR(10) CHECK (id <> 'refused'))")
    return db


def function_of(path):
    """The last function of the file that is its own and not a helper without parameters."""
    spec = importlib.util.spec_from_file_location("lens", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    own = [f for f in vars(module).values() if inspect.isfunction(f) and f.__module__ == "lens"]
    return [f for f in own if inspect.signature(f).parameters][-1]


for line in sys.stdin:
    lens, *words = line.split()
    options = dict(word.split("=", 1) for word in words)

    def work(*_until):
        worked = client.incr("worked")
        time.sleep(int(options["work_ms"]) / 1000)
        return worked

    try:
        function = function_of(f"{folder}/{lens}.py")
        ports = options.get("ports")
        first = [one_of_several(port) for port in ports.split(",")] if ports else client
        given = options["given"].split(",") if "given" in options else []
        values = [first, *given, database() if "sql" in options else work][: len(inspect.signature(function).parameters)]
        value = function(*values)
        ended = {"value": value.decode() if isinstance(value, bytes) else value}
    except Exception as error:
        ended = {"error": f"{type(error).__name__}: {error}"}
    print(json.dumps(ended), flush=True)
