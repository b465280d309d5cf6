import redis

LIMIT = 1  #@1
COUNT = """
    local hits = redis.call("INCR", KEYS[1])
    if hits == 1 then
      redis.call("EXPIRE", KEYS[1], ARGV[1])
    end
    return hits
"""  #@2-7


def allows(r: redis.Redis) -> bool:
    hits = r.register_script(COUNT)(keys=["hits:10.0.0.7"], args=[1])  #@8
    return hits <= LIMIT  #@9-11
