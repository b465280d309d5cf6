"""Runs lenses for redis-py. Arguments: the port, "text" or "bytes" (what replies are), the folder.

A line of input is a lens, `lost-update/get-set`; a line of output says how it ended, in JSON.
"""

import importlib.util
import inspect
import json
import sys

import redis

port, replies, folder = sys.argv[1:]
client = redis.Redis(port=int(port), decode_responses=replies == "text")


def work():
    return client.incr("worked")


def function_of(path):
    """The last function of the file that is its own and not a helper without parameters."""
    spec = importlib.util.spec_from_file_location("lens", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    own = [f for f in vars(module).values() if inspect.isfunction(f) and f.__module__ == "lens"]
    return [f for f in own if inspect.signature(f).parameters][-1]


for line in sys.stdin:
    try:
        function = function_of(f"{folder}/{line.strip()}.py")
        values = [client, work][: len(inspect.signature(function).parameters)]
        value = function(*values)
        ended = {"value": value.decode() if isinstance(value, bytes) else value}
    except Exception as error:
        ended = {"error": f"{type(error).__name__}: {error}"}
    print(json.dumps(ended), flush=True)
