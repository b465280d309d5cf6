import redis

SPEND = """
local budget = tonumber(redis.call("GET", KEYS[1]))
local amount = tonumber(ARGV[1])
if budget < amount then
  return 0
end
redis.call("SET", KEYS[1], budget - amount)
redis.call("RPUSH", KEYS[2], amount)
return amount"""  #@1-9


def spend(r: redis.Redis) -> int:
    return r.eval(SPEND, 2, "budget", "ledger", 6)  #@10
