import redis


def visit(r: redis.Redis) -> str | bytes | None:
    """Returns the prize, or None when all are gone."""
    return r.lpop("prizes")  #@1-3
