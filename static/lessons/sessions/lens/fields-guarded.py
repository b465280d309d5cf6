import uuid

import redis

ADD = """
if redis.call("EXISTS", KEYS[1]) == 0 then
  return 0
end
redis.call("HSET", KEYS[1], ARGV[1], 1)
return 1"""  #@1-6


def add_item(r: redis.Redis) -> str | None:
    """Returns the item, or None where the session has ended: ask the user to log in."""
    item = str(uuid.uuid4())  #@7
    if r.eval(ADD, 1, "session:7", f"item:{item}") == 1:  #@8
        return item  #@9
    return None
