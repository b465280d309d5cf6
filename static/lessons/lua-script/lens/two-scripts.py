import redis

ENOUGH = """
local budget = tonumber(redis.call("GET", KEYS[1]))
return budget >= tonumber(ARGV[1])"""  #@1-3
SPEND = """
redis.call("DECRBY", KEYS[1], ARGV[1])
redis.call("RPUSH", KEYS[2], ARGV[1])"""  #@4-6


def spend(r: redis.Redis) -> int:
    # True comes back as 1, False as None.
    if r.eval(ENOUGH, 1, "budget", 6):  #@7
        r.eval(SPEND, 2, "budget", "ledger", 6)  #@8
        return 6  #@9
    return 0
