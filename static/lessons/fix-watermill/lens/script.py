from collections.abc import Callable

import redis

IDLE_MS = 60_000  # longer than any order takes
DELETE = """
if #redis.call("XPENDING", KEYS[1], "mails", "-", "+", 1, ARGV[1]) == 0 then
  return redis.call("XGROUP", "DELCONSUMER", KEYS[1], "mails", ARGV[1])
end
return false"""  #@1-5


def take_over(r: redis.Redis, me: str, work: Callable[[str | bytes], object]) -> None:  #@6
    """To be called each minute, by each worker. `work` may be called twice for one id."""
    delete = r.register_script(DELETE)
    for entry in r.xpending_range("orders", "mails", "-", "+", 10, idle=IDLE_MS):  #@7
        id = entry["message_id"]
        if r.xclaim("orders", "mails", me, IDLE_MS, [id]):  #@8-9
            work(id)  #@10
            r.xack("orders", "mails", id)  #@11
    for consumer in r.xinfo_consumers("orders", "mails"):  #@14
        if consumer["idle"] >= IDLE_MS:  #@16
            delete(keys=["orders"], args=[consumer["name"]])  #@17
