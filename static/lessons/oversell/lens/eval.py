import redis

BUY = """
local n = tonumber(redis.call("GET", KEYS[1]))
if n > 0 then
  redis.call("DECR", KEYS[1])
  return 1
end
return 0"""  #@1-7


def buy(r: redis.Redis) -> bool:
    sold = r.eval(BUY, 1, "stock")  #@8
    return sold == 1
