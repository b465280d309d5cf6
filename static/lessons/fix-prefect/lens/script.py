import redis

CLEAN = """
for _, group in ipairs(redis.call("XINFO", "GROUPS", KEYS[1])) do
  if group[2] == ARGV[1] and group[6] == 0 then
    return redis.call("XGROUP", "DESTROY", KEYS[1], ARGV[1])
  end
end
return 0"""  #@1-4


def remove_if_idle(r: redis.Redis) -> bool:
    """False where an entry is pending, or the group is gone."""
    return r.eval(CLEAN, 1, "events", "live") == 1  #@5
