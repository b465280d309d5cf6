import redis

WINDOW_MS = 60_000
COUNT = """
local n = redis.call("INCRBY", KEYS[1], ARGV[1])
if redis.call("PTTL", KEYS[1]) == -1 then
  redis.call("PEXPIRE", KEYS[1], ARGV[2])
end
return n"""  #@1-6


def hit(r: redis.Redis) -> int:
    """How many requests there were in this window, with this one."""
    count = r.register_script(COUNT)
    return count(keys=["rate"], args=[1, WINDOW_MS])  #@7
