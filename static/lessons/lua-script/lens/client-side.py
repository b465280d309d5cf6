import redis


def spend(r: redis.Redis) -> int:
    budget = int(r.get("budget"))  #@1
    if budget >= 6:  #@2
        r.set("budget", budget - 6)  #@3
        r.rpush("ledger", 6)  #@4
        return 6  #@5
    return 0
